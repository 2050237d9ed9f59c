// Fill in a form with MuPDF: mutool run mupdf.js IN OUT '{"field": "text or true"}'
var pdf = new PDFDocument(scriptArgs[0]);
var values = JSON.parse(scriptArgs[2]);

function given(object) {
	return object && !object.isNull();
}

function nameOf(widget) {
	var names = [];
	for (var part = widget; given(part); part = part.get("Parent"))
		if (given(part.get("T"))) names.unshift(part.get("T").asString());
	if (!given(widget.get("T")))
		widget.get("AP").get("N").forEach(function (name) { if (name !== "Off") names.push(name); });
	return names.join(".");
}

for (var number = 0; number < pdf.countPages(); number++) {
	var widgets = pdf.loadPage(number).getWidgets(), place = 0;
	pdf.findPage(number).get("Annots").forEach(function (_, annotation) {
		if (annotation.get("Subtype").asName() !== "Widget") return;
		var name = nameOf(annotation), widget = widgets[place++];
		if (!(name in values)) return;
		if (values[name] === true) widget.toggle();
		else if (widget.getFieldType() === "combobox") widget.setChoiceValue(values[name]);
		else widget.setTextValue(values[name]);
	});
}
pdf.save(scriptArgs[1]);
