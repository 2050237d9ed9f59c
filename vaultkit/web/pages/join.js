"use strict";
/* Sitting down with a phone: the code of the table for a ticket, and the ticket for a seat. Nothing is taken before a tap. */

const KEPT = "seat";
const byId = (id) => document.getElementById(id);
const say = (words) => { byId("said").textContent = words; };

async function post(where, body) {
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(where, { method: "POST", headers, body: JSON.stringify(body) }).catch(() => null);
  return { ok: answer?.ok, body: (await answer?.json().catch(() => null)) ?? {} };
}

function wrong(words) {
  byId("wrong").textContent = words ?? "The table does not answer. Is this phone in the same Wi-Fi?";
}

function ask() {
  say("Scan the code on the big screen, or type the letters below it. Once the game has begun, the host can show a code for your seat there, under Phones and seats.");
  byId("typing").hidden = false;
  if (kept()) Object.assign(byId("return"), { hidden: false, href: kept() });
}

/* Storage may be closed to us, as in some private windows. */

function kept() {
  try { return localStorage.getItem(KEPT); } catch { return null; }
}

function keep(at) {
  try { localStorage.setItem(KEPT, at); } catch { /* then the way back is by a code */ }
}

async function knock(token) {
  wrong("");
  const { ok, body } = await post("/knock", { token });
  if (!ok) {
    ask();
    return wrong(body.why);
  }
  byId("typing").hidden = byId("return").hidden = true;
  byId("heading").textContent = "Join as …";
  say(body.seats.some(({ free }) => free) ? "Who are you?" : "All seats are taken. Ask the host.");
  byId("seats").replaceChildren(...body.seats.map((seat) => button(seat, body.ticket)));
  byId("heading").focus();
}

function button({ seat, name, free }, ticket) {
  const one = document.createElement("button"), words = document.createElement("b");
  words.textContent = name;
  one.append(words);
  if (!free) {
    const note = document.createElement("small");
    note.textContent = "has already joined";
    one.append(note);
    one.setAttribute("aria-disabled", "true");
  }
  one.addEventListener("click", async () => {
    if (!free) return wrong(`${name} has already joined.`);
    if (!one.dataset.sure && await hasSeat()) {
      one.dataset.sure = "1";
      return wrong(`This phone has a seat already. Touch ${name} again to take a second one.`);
    }
    sit(ticket, seat);
  });
  return one;
}

async function hasSeat() {
  return !!kept() && !!(await fetch(kept(), { method: "HEAD" }).catch(() => null))?.ok;
}

async function sit(ticket, seat) {
  wrong("");
  const { ok, body } = await post("/sit", { ticket, seat });
  if (!ok) return wrong(body.why);
  keep(body.at);
  location.replace(body.at);
}

function begin() {
  const token = location.hash.slice(1);
  history.replaceState(null, "", location.pathname);
  if (token) knock(token); else ask();
}

byId("typing").addEventListener("submit", (event) => {
  event.preventDefault();
  const typed = byId("code").value.trim();
  if (typed) knock(typed.includes("#") ? typed.split("#").pop() : typed);
});
addEventListener("hashchange", () => { if (location.hash) begin(); });
begin();
