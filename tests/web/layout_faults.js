/* Returns what is wrong with the layout of a page: overlaps, what is cut off or scrolls sideways, small text, small targets. */

const faults = [], isWide = document.body.matches(".table") && innerWidth >= 900 && innerHeight >= 540;
const all = (what) => [...document.querySelectorAll(what)].filter((one) => {
  const box = one.getBoundingClientRect();
  return box.width && box.height && getComputedStyle(one).visibility !== "hidden";
});
const name = (one) => `${one.tagName} ${one.className} "${(one.ariaLabel ?? one.textContent).slice(0, 30)}"`;
const across = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left);
const down = (a, b) => Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);

function overlaps(parts, limit) {
  parts.forEach((one, place) => parts.slice(place + 1).forEach((other) => {
    const [a, b] = [one, other].map((part) => part.getBoundingClientRect());
    if (!one.contains(other) && across(a, b) > limit && down(a, b) > limit) faults.push(`${name(one)} lies over ${name(other)}`);
  }));
}

if (document.scrollingElement.scrollWidth > innerWidth + 1) faults.push("the page scrolls sideways");
for (const one of all("#main, #dock, #offers, #hand, #side, #seats, .seat, #middle, .sheet"))
  if (one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== "contents") faults.push(`${name(one)} scrolls sideways`);
for (const one of all(".card, .back, .caption, .seat h2, .note, #question, .what, #offers button, .by")) {
  const box = one.getBoundingClientRect(), around = isWide && !one.closest(".back") && one.closest(".seat, #middle, #dock")?.getBoundingClientRect();
  if (box.left < -1 || box.right > innerWidth + 1) faults.push(`${name(one)} is cut off`);
  if (around && (box.left < around.left - 7 || box.right > around.right + 7)) faults.push(`${name(one)} is beyond what holds it`);
}
if (isWide) {
  overlaps(all("#top, #dock, #side, .seat, #middle > .zone, #piles"), 8);
  for (const one of all("#dock, .seat")) if (one.scrollHeight > one.clientHeight + 2) faults.push(`${name(one)} holds more than it shows`);
}
overlaps(all("#hand .card"), 1);
for (const one of all(".card img")) if (one.clientWidth > one.closest(".card").clientWidth + 2) faults.push(`${name(one.closest(".card"))} shows only a part`);
for (const one of all(".by")) if (one.textContent.length < 8 && one.scrollWidth > one.clientWidth + 1) faults.push(`${name(one)} is cut off`);
for (const one of all("#hand .card, .phone button:not(.link, .seat .card, #middle .card)")) {
  const box = one.getBoundingClientRect();
  if (box.width < 43.5 || box.height < 43.5) faults.push(`${name(one)} is ${Math.round(box.width)} by ${Math.round(box.height)}`);
}
const least = isWide ? (innerHeight >= 1080 ? 23.5 : 16) : 13.5;
const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
for (let text; (text = texts.nextNode());) {
  const one = text.parentElement;
  if (!text.textContent.trim() || !one.checkVisibility() || one.closest(".heard, noscript")) continue;
  if (parseFloat(getComputedStyle(one).fontSize) < least) faults.push(`${name(one)} is small`);
}
return faults.slice(0, 8);
