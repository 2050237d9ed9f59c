"use strict";
/* The table in the browser: takes the newest Scene, moves what moved, and sends what a person touches. */

const STALE = 25_000, LATE = 3_000, HANG = 1_500, PAUSE = 2_000, MOVERS = 8, PRESS = 600;
const at = location.pathname;
const byId = (id) => document.getElementById(id);
const all = (what, where = document) => [...where.querySelectorAll(what)];
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const isPhone = document.body.classList.contains("phone");
let isQuiet = !isPhone || wasQuiet();
let reading, question = null, shown = {}, picked = [], over = false, lost = false, hidden = false, rolled = false, isDeciding = false, ended = false;
let stream, heard = 0, late, running = null, waiting = null, spoken = 0, saying, pressed;

/* The entrance: the token is posted, and leaves the address. */

async function enter() {
  const token = location.hash.slice(1);
  history.replaceState(null, "", location.pathname);
  const answer = await post("/sit", { token }).catch(() => null);
  if (answer?.status === 200) return location.replace(answer.body.at);
  byId("entrance").textContent = answer?.body.why ?? "The table does not answer. Is it still open in the terminal?";
}

async function post(where, body) {
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(where, { method: "POST", headers, body: JSON.stringify(body), keepalive: true });
  return { status: answer.status, body: await answer.json().catch(() => ({})) };
}

/* The stream: one Scene after the other, with a beat in between. */

function listen() {
  if (over) return;
  stream?.close();
  heard = Date.now();
  stream = new EventSource(`${at}stream`);
  stream.addEventListener("beat", alive);
  stream.addEventListener("scene", (event) => { alive(); receive(JSON.parse(event.data)); });
  stream.addEventListener("end", end);
  stream.addEventListener("error", () => {
    late ??= setTimeout(lose, LATE, true);
    if (stream.readyState === EventSource.CLOSED) heard = Date.now() - STALE + 2_000;
  });
}

function alive() {
  heard = Date.now();
  clearTimeout(late);
  late = null;
  lose(false);
}

function lose(gone) {
  lost = gone;
  byId("lost").hidden = !gone;
  document.body.classList.toggle("lost", gone);
  for (const one of all(gone ? "button:not([aria-disabled])" : "button.idle")) {
    one.ariaDisabled = gone ? "true" : null;
    one.classList.toggle("idle", gone);
  }
}

function end() {
  over = true;
  stream.close();
  lose(true);
  byId("lost").textContent = "The table is closed; nothing is lost. You may close this window.";
  say("The table is closed.");
}

function wake() {
  if (document.visibilityState === "visible") return listen();
  if (!isPhone && !all("[data-do=cover]").length) return;
  clear("hand", "offers", "ask", "middle", "seats", "side");
  if (!isPhone) order({ do: "cover" });
}

function clear(...ids) {
  for (const id of ids) { byId(id).textContent = ""; delete shown[id]; }
}

/* A Scene: the newest one wins, and only what differs is swapped. */

function receive(scene) {
  if (running) {
    waiting = scene;
    return running.skipTransition();
  }
  const fresh = Object.entries(scene.regions).filter(([id, html]) => shown[id] !== html && byId(id) && !(hidden && ["hand", "offers"].includes(id)));
  const parts = fresh.map(([id, html]) => [byId(id), parse(html)]);
  const isCovering = byId("b-cover") && !scene.regions.ask.includes("b-cover");  // no card of the hand may still be seen
  const moves = parts.length && !isCovering && !calm.matches && !document.hidden && document.startViewTransition ? movers(parts) : [];
  const swap = () => {
    if (isPhone && document.visibilityState === "hidden") return;  // on waking up, the whole Scene comes
    parts.forEach(([old, now]) => patch(old, now));
    for (const [id, html] of fresh) shown[id] = html;
    settle(scene);
  };
  if (!moves.length || moves.length > MOVERS) return keepFocus(swap);
  let done = false;
  const once = () => { if (!done) { done = true; keepFocus(swap); } };
  moves.forEach(([from], at) => { from.style.viewTransitionName = `m${at}`; });
  try {
    running = document.startViewTransition(() => {
      if (done) return;  // it comes too late: nobody would take the names of cards away again
      moves.forEach(([from]) => { from.style.viewTransitionName = ""; });
      once();
      moves.forEach(([, to], at) => { const one = to(); if (one) one.style.viewTransitionName = `m${at}`; });
    });
  } catch { return once(); }
  const mine = running;
  mine.ready.catch(() => {});
  mine.updateCallbackDone.catch(() => {});
  const hang = setTimeout(() => { once(); mine.skipTransition(); rest(mine, moves); }, HANG);
  mine.finished.catch(() => {}).then(() => { clearTimeout(hang); once(); rest(mine, moves); });
}

function rest(mine, moves) {
  for (const [from, to] of moves) for (const one of [from, to()]) if (one) one.style.viewTransitionName = "";
  if (running !== mine) return;
  running = null;
  const next = waiting;
  waiting = null;
  if (next) receive(next);
}

function parse(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content;
}

/* Cards that lie elsewhere afterwards; one that comes from a hand or a pile glides from its last back. */

function movers(parts) {
  const before = all(".zone"), after = parts.flatMap(([, now]) => all(".zone", now)), found = [];
  const backs = (zone) => zone ? all(".back", zone) : [];
  const hidden = (zone) => +(zone?.querySelector(".count")?.textContent ?? backs(zone).length);
  const here = (zone) => before.find((one) => one.id === zone.id);
  const givers = after.filter((zone) => here(zone) && hidden(zone) < hidden(here(zone)));
  const takers = after.filter((zone) => hidden(zone) > (here(zone) ? hidden(here(zone)) : 0));
  const now = new Set(after.flatMap((zone) => all(".card[id]", zone)).map((card) => card.id));
  for (const zone of after) for (const { id } of all(".card[id]", zone)) {
    const old = byId(id)?.closest(".zone");
    if (old && old.id !== zone.id) found.push([byId(id), () => byId(id)]);
    const from = backs(old ? null : here(givers[0] ?? zone)).pop();
    if (!old && from && givers.length && givers[0].id !== zone.id) found.push([from, () => byId(id)]);
  }
  for (const zone of before.filter((one) => after.some((other) => other.id === one.id)))
    for (const card of all(".card[id]", zone))
      if (!now.has(card.id) && takers.length === 1)
        found.push([card, () => backs(byId(takers[0].id)).pop()]);
  return found;
}

/* What has the same id and the same HTML stays; so does the rest of what holds focus, a field or an open note. */

function patch(old, now) {
  const kids = [...now.children], keyed = (one) => one.children.length && [...one.children].every((kid) => kid.id);
  if (!keyed(now)) return old.replaceChildren(...now.childNodes);
  const there = [...old.children], news = kids.map((kid) => merge(there.find((one) => one.id === kid.id), kid, keyed(kid)));
  const same = there.length === kids.length && kids.every((kid, place) => kid.id === there[place].id);
  if (!same) return old.replaceChildren(...news);
  news.forEach((one, place) => { if (one !== there[place]) there[place].replaceWith(one); });
}

function merge(there, kid, keyed) {
  const source = kid.outerHTML;
  if (there?.source === source) return there;
  const kept = there && keyed ? there : kid;
  if (kept === there) { there.className = kid.className; patch(there, kid); }
  else if (there?.open) kid.open = true;
  else if (there?.querySelector(".back") && !there.querySelector(".card")) kid.querySelector(".card")?.classList.add("fresh");
  kept.source = source;
  return kept;
}

function keepFocus(swap) {
  const focus = document.activeElement, zone = focus?.closest(".zone");
  const place = zone && zone.id !== "choices" ? all("button", zone).indexOf(focus) : 0;
  const inside = focus && focus !== document.body && !focus.closest("dialog");
  swap();
  if (!inside || document.activeElement === focus) return;
  const near = zone && byId(zone.id) ? all("button, a", byId(zone.id)) : [];
  (byId(focus.id) ?? near[Math.min(place, near.length - 1)])?.focus({ preventScroll: true });
  refocus();
}

function refocus() {
  if (document.activeElement === document.body) byId("question")?.focus({ preventScroll: true });
}

/* What scrolls is reached by Tab, and offers that go on below fade out. */

function reach() {
  byId("side").tabIndex = byId("side").scrollHeight > byId("side").clientHeight ? 0 : -1;
  byId("offers").classList.toggle("more", hiddenBelow(byId("offers")) > 4);
}

const hiddenBelow = (one) => one.scrollHeight - one.clientHeight - one.scrollTop;

/* Your turn: the title says so, the icon changes, and the phone shakes and sounds softly, unless it is to be quiet. */

function signal(isTurn) {
  const was = signal.was;
  if (was === isTurn) return;
  signal.was = isTurn;
  document.querySelector("[rel=icon]").href = `/web/${isTurn ? "turn" : "back"}.svg`;
  if (isTurn && was === false) ring();
}

function ring() {
  if (isQuiet || !navigator.userActivation?.hasBeenActive) return;  // Safari before 16.4 stays silent
  navigator.vibrate?.(150);
  try {
    const sound = ring.sound ??= new AudioContext(), tone = sound.createOscillator(), volume = sound.createGain();
    volume.gain.setValueAtTime(.08, sound.currentTime);
    volume.gain.exponentialRampToValueAtTime(.001, sound.currentTime + .5);
    tone.connect(volume).connect(sound.destination);
    tone.start();
    tone.stop(sound.currentTime + .5);
  } catch { /* a browser without sound */ }
}

function wasQuiet() {
  try { return localStorage.getItem("quiet") === "1"; } catch { return false; }
}

function sound() {
  isQuiet = !isQuiet;
  try { localStorage.setItem("quiet", isQuiet ? "1" : "0"); } catch { /* then until the page is left */ }
  labelSound();
  ring();
}

function labelSound() {
  byId("b-sound")?.setAttribute("aria-pressed", String(!isQuiet));
}

function settle(scene) {
  document.title = scene.title;
  signal(scene.title.startsWith("Your turn"));
  labelSound();
  if (scene.question !== question) { picked = []; if (isDeciding) byId("more").close(); }
  question = scene.question;
  if (!ended && byId("end")) for (const one of [byId("main"), byId("middle"), document.scrollingElement]) one.scrollTop = 0;
  ended = byId("end") !== null;
  for (const one of all("[data-css]")) one.style.cssText = one.dataset.css;
  for (const zone of all(".zone")) rove(zone);
  const words = document.querySelector(".lesson");
  if (words && words.id !== reading) { reading = words.id; byId("side").scrollTop = 0; scrollTo(0, 0); }
  if (lost) lose(true);
  narrow();
  reveal();
  say(scene.say);
  prefetch();
}

/* The rewards stand first among the tables, once they are rolled. */

function reveal() {
  if (!rolled || byId("o-rewards")) return;
  rolled = false;
  document.querySelector(".sheet").focus();
}

/* The pictures of the first Scene come first, then one by one all others, whatever is seen meanwhile. */

async function prefetch() {
  const names = byId("pictures").dataset.faces;
  if (names === undefined) return;
  delete byId("pictures").dataset.faces;
  await Promise.allSettled(all("img").map((image) => image.decode()));
  for (const name of names.split(" ").filter(Boolean)) {
    const image = make("img", { alt: "", src: `${at}face/${name}` });
    byId("pictures").append(image);
    await image.decode().catch(() => {});
  }
}

/* What is said aloud: the newest sentence, one in two seconds. */

function say(words) {
  if (!words) return;
  clearTimeout(saying);
  saying = setTimeout(() => { byId("say").textContent = words; spoken = Date.now(); },
    Math.max(0, spoken + PAUSE - Date.now()));
}

function wrong(words, milliseconds = 8_000) {
  byId("wrong").textContent = words;
  clearTimeout(wrong.timer);
  wrong.timer = setTimeout(() => { byId("wrong").textContent = ""; }, milliseconds);
}

/* Orders. */

async function order(body) {
  if (lost) return wrong("There is no connection to the table.");
  const busy = { ask: "Looking it up …", hint: "Thinking …", rewards: "Rolling …" }[body.do];
  if (busy) wrong(busy, 60_000);
  if (body.do === "hint") byId("b-hint")?.setAttribute("aria-busy", "true");
  const sent = { question, ...body }, answer = await post(`${at}order`, sent).catch(() => null);
  byId("b-hint")?.removeAttribute("aria-busy");
  if (!answer) return lose(true);
  const { scene, html, why, sure } = answer.body;
  if (answer.status === 409) { receive(scene); return wrong("The table has moved on."); }
  if (sure) return decide(make("p", { id: "more-title", textContent: why }), "Do it", () => order({ ...sent, sure: true }));
  if (answer.status !== 200) return wrong(why ?? "The table did not understand that.");
  wrong("");
  if (body.do === "rewards") { rolled = true; reveal(); }
  const told = html && parse(html);
  const more = told && body.do === "ask" && !body.more && told.querySelector("[data-more]");
  if (told) dialog("", told, more ? "More" : "", "Close", () => order({ ...body, more: true }));
  return true;
}

/* A panel over the table: an answer, or a field for words, which `go` gets. */

function dialog(title, content, yes, no, go) {
  const form = make("form", { method: "dialog" }), field = content?.matches?.("input, textarea") ? content : null;
  if (title) form.append(make("h2", { id: "more-title", textContent: title }));
  if (content) form.append(content);
  field?.setAttribute("aria-labelledby", "more-title");
  if (yes) form.append(make("button", { textContent: yes, value: "yes" }));
  form.append(make("button", { textContent: no, value: "" }));
  form.addEventListener("submit", (event) => { if (event.submitter?.value) go(field?.value.trim()); });
  isDeciding = false;
  byId("more").replaceChildren(form);
  if (!byId("more").open) byId("more").showModal();
  byId("more").scrollTop = 0;
  field?.focus();
}

/* A panel that belongs to the question, and closes with it. */

function decide(content, yes, go, title = "") {
  dialog(title, content, yes, "Not yet", go);
  isDeciding = true;
}

function make(name, values) {
  return Object.assign(document.createElement(name), values);
}

function ask() {
  dialog("What do you want to know?", make("input", { maxLength: 200 }), "Ask", "Close",
    (words) => { if (words) order({ do: "ask", words }); });
}

/* Touching: a card, then what it can do. */

function narrow() {
  const box = byId("choices");
  if (!box) return reach();
  const offers = all("[data-offer]", box);
  const fits = (one) => picked.every((mark, place) => touches(one)[place] === mark);
  for (const one of offers) one.hidden = !fits(one);
  const folds = !picked.length && (box.dataset.many || hiddenBelow(byId("offers")) > 4);
  if (folds) for (const one of offers) one.hidden = touches(one).length > 0;
  box.classList.toggle("folded", offers.some((one) => folds && one.hidden));
  const next = new Set(offers.filter((one) => picked.length && fits(one)).map((one) => touches(one)[picked.length]));
  for (const one of all(".card, .seat")) {
    one.classList.toggle("picked", picked.includes(one.id));
    one.classList.toggle("target", next.has(one.id));
  }
  box.classList.toggle("picking", picked.length > 0);
  enlarge(byId(picked[0]));
  box.classList.toggle("one", picked.length > 0 && offers.filter((one) => !one.hidden).length === 1);
  rove(box);
  reach();
}

/* The touched card above the hand, or why it cannot be played. */

function enlarge(card, why = "") {
  const box = byId("large"), face = card?.querySelector("img, .bare")?.cloneNode(true);
  if (!box) return;
  box.hidden = !face;
  byId("wrong").classList.toggle("told", why !== "");
  if (!face) return;
  const words = make("p", { className: "reason" });
  words.append(make("b", { textContent: card.ariaLabel.replace(/, playable$/, "") }), why);
  box.replaceChildren(face, words);
}

const touches = (offer) => offer.dataset.touch?.split(" ") ?? [];

function touch(card) {
  const { id, dataset: { why } } = card, offers = all("[data-offer]").map(touches);
  const goesOn = (marks) => offers.some((one) => marks.every((mark, place) => one[place] === mark));
  if (why) {
    card.classList.add("shake");
    setTimeout(() => card.classList.remove("shake"), 400);
    picked = [];
    narrow();
    enlarge(card, why);
    return wrong(why);
  }
  if (picked.includes(id)) picked = [];
  else if (goesOn([...picked, id])) picked = [...picked, id];
  else if (goesOn([id])) picked = [id];
  else return order({ do: "why", card: id });
  wrong("");
  narrow();
  if (picked.length && card.matches(":focus-visible")) all("[data-offer]").find((one) => !one.hidden)?.focus();
}

function choose(offer) {
  const chosen = { question, do: "offer", offer: offer.dataset.offer };
  if (!offer.dataset.tale) return order(chosen);
  decide(make("textarea", { maxLength: 2000 }), "Play", (tale) => order({ ...chosen, tale }),
    "What happens? Tell it in your own words, or leave it empty.");
}

function click(event) {
  const one = event.target.closest("button, .seat.target");
  if (!one || one.closest("dialog") || (press.was && event.detail)) { press.was = false; return; }
  if (lost) return wrong("There is no connection to the table.");
  if (one.dataset.why) return touch(one);
  if (one.dataset.offer) return choose(one);
  if (one.dataset.open) return { hide, show, ask, sound }[one.dataset.open]();
  if (one.dataset.text) return read(one.dataset.text);
  const deed = one.closest("[data-do]")?.dataset.do, { card, seat, words } = one.dataset;
  if (deed) return order({ do: deed, card: card && +card, seat: seat && +seat, words });
  if (one.matches(".card, .seat")) touch(one);
}

/* A phone: its hand can be hidden, and is while nobody looks; nothing of it is in the page then. */

function hide() {
  hidden = true;
  clear("hand", "offers");
  const one = make("button", { className: "cover", id: "b-show", textContent: "Show my hand" });
  one.dataset.open = "show";
  byId("hand").append(one);
  one.focus();
}

function show() {
  hidden = false;
  byId("hand").textContent = "";
  listen();
}

async function submit(event) {
  const form = event.target, field = form.querySelector("input");
  if (form.closest("dialog")) return;
  event.preventDefault();
  if (await order({ do: form.dataset.do, words: field.value, typed: true })) field.value = "";
}

function read(id) {
  for (const one of all("#side > .text")) one.hidden = one.id !== id;
  say(byId(id).innerText);
}

/* Keys: each zone is one stop, with arrows in it; Escape goes back, a question mark shows the card's text. */

function rove(zone) {
  const stops = all("button, a", zone).filter((one) => !one.hidden && one.closest(".zone") === zone);
  const kept = stops.find((one) => one === document.activeElement) ?? stops[0];
  for (const one of stops) one.tabIndex = one === kept ? 0 : -1;
}

function key(event) {
  const here = event.target.closest?.(".zone");
  if (event.key === "Escape" && picked.length && !byId("more").open) {
    byId(picked[0])?.focus();
    picked = [];
    return narrow();
  }
  if (event.key === "?" && event.target.matches(".card, .suit button")) return why(event.target);
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (!here || !(step || event.key === "Home" || event.key === "End")) return;
  const stops = all("button, a", here).filter((one) => !one.hidden);
  const place = step ? stops.indexOf(event.target) + step : event.key === "End" ? stops.length - 1 : 0;
  stops[(place + stops.length) % stops.length]?.focus();
  rove(here);
  event.preventDefault();
}

function why(card) {
  order({ do: "why", card: card.id || card.dataset.words });
}

function press(event) {
  const card = event.target.closest?.("button.card, .suit button");
  clearTimeout(pressed);
  if (card && event.type === "pointerdown") {
    press.was = false;
    pressed = setTimeout(() => { press.was = true; why(card); }, PRESS);
  }
}

if (byId("entrance")) enter();
else if (byId("ask")) {
  const deeds = {
    click, submit, keydown: key, visibilitychange: wake, pointerdown: press, pointerup: press, pointercancel: press,
    pointermove: press, animationend: (event) => event.target.classList.remove("fresh"),
  };
  for (const [kind, deed] of Object.entries(deeds)) document.addEventListener(kind, deed);
  byId("more").addEventListener("close", () => { isDeciding &&= byId("more").open; setTimeout(refocus); });
  const sizes = new ResizeObserver(reach);
  for (const id of ["side", "offers"]) sizes.observe(byId(id));
  byId("offers").addEventListener("scroll", reach);
  addEventListener("resize", narrow);
  document.fonts.addEventListener("loadingdone", narrow);
  addEventListener("pageshow", (event) => { if (event.persisted) listen(); });
  addEventListener("focusin", (event) => { const zone = event.target.closest?.(".zone"); if (zone) rove(zone); });
  setInterval(() => { if (!over && Date.now() - heard > STALE) listen(); }, 1_000);
  listen();
}
