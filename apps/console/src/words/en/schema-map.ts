/** The texts of the map of tables in English. */
export const schemaMap = {
  title: "Map",
  text: "Tables and the foreign keys between them. An arrow leads to the table that a key refers to.",
  map: "Map of the tables",
  shownAs: "Show as",
  drawing: "Drawing",
  list: "List",
  allSchemas: "All schemas",
  counts:
    "{tables, plural, one {# table} other {# tables}}, {keys, plural, one {# foreign key} other {# foreign keys}}",
  save: "Save as SVG",
  empty: "There is no table here.",
  emptyText: "Choose another schema, or create a table.",
  refersTo: "Refers to",
  referredToBy: "Referred to by",
  tools: "Size and position of the drawing",
  zoomIn: "Enlarge",
  zoomOut: "Reduce",
  fit: "Show the whole map",
  left: "Move left",
  right: "Move right",
  up: "Move up",
  down: "Move down",
  keys: "Arrow keys move between tables, Enter opens one, + and − change the size, 0 shows everything.",
  tableLabel:
    "{name}, {to, plural, =0 {no foreign key} one {# foreign key} other {# foreign keys}}, {from, plural, =0 {no key refers to it} one {# key refers to it} other {# keys refer to it}}",
};
