// Fill in a form with pdf-lib, as many web pages do: node pdf_lib.cjs MODULES IN OUT '{"field": "text or true"}'
const { readFileSync, writeFileSync } = require("node:fs");

const [modules, source, target, given, ...how] = process.argv.slice(2);
const { PDFDocument, PDFTextField, PDFDropdown, PDFRadioGroup } = require(`${modules}/pdf-lib`);

async function fill() {
  const pdf = await PDFDocument.load(readFileSync(source));
  const form = pdf.getForm();
  for (const [name, value] of Object.entries(JSON.parse(given))) {
    if (how.includes("draw")) {
      const { x, y, height } = form.getField(name).acroField.getWidgets()[0].getRectangle();
      pdf.getPage(0).drawText(value, { x: x + 4, y: y + height / 3, size: height / 2 });
      continue;
    }
    const field = form.getFieldMaybe(name) ?? form.getField(name.slice(0, name.lastIndexOf(".")));
    if (field instanceof PDFTextField) field.setText(value);
    else if (field instanceof PDFDropdown) field.select(value);
    else if (field instanceof PDFRadioGroup) field.select(name.slice(name.lastIndexOf(".") + 1));
    else field.check();
  }
  if (how.includes("flatten")) form.flatten();
  writeFileSync(target, await pdf.save({ updateFieldAppearances: !how.includes("values") }));
}

fill().catch((error) => {
  console.error(error);
  process.exit(1);
});
