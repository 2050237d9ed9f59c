// Fill in a form as Firefox does, with pdf.js: node pdfjs.mjs MODULES IN OUT '{"field": "text or true"}'
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

globalThis.DOMMatrix ??= class {}; // only pictures need it

const [modules, source, target, given, ...how] = process.argv.slice(2);
const { getDocument } = await import(
  pathToFileURL(`${modules}/pdfjs-dist/legacy/build/pdf.mjs`).href
);
const values = JSON.parse(given);
let editors = 0;
const pdf = await getDocument({ data: new Uint8Array(readFileSync(source)), verbosity: 0 }).promise;
for (let number = 1; number <= pdf.numPages; number++) {
  const page = await pdf.getPage(number);
  for (const widget of await page.getAnnotations({ intent: "display" })) {
    if (how.includes("draw")) {
      const [left, bottom, right, top] = widget.rect;
      if (!(widget.fieldName in values)) continue;
      const text = { annotationType: 3, value: values[widget.fieldName], fontSize: 12, color: [0, 0, 0], rotation: 0 };
      const place = { pageIndex: number - 1, rect: [left + 2, bottom + 2, right - 2, top - 2], id: null };
      pdf.annotationStorage.setValue(`pdfjs_internal_editor_${editors++}`, { ...text, ...place });
    } else if (widget.radioButton) {
      const name = `${widget.fieldName}.${widget.buttonValue}`;
      if (name in values) pdf.annotationStorage.setValue(widget.id, { value: values[name] });
    } else if (widget.fieldName in values) {
      pdf.annotationStorage.setValue(widget.id, { value: values[widget.fieldName] });
    }
  }
}
writeFileSync(target, await pdf.saveDocument());
