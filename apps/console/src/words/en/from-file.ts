/** The texts of a table from a CSV file in English. */
export const fromFile = {
  title: "Start from a CSV file (optional)",
  another: "Another file, or the mended one",
  hint: "In UTF-8, with the names of the columns in the first line. The whole file is read in this browser; nothing is sent yet.",
  reading: "Rows read so far: {rows}",
  noNames: "The file is empty: its first line names no column.",
  found:
    "{name}: {rows} rows. Every value fits the type of its column below; change what you know better.",
  unique: "Each value is there once in: {names}.",
  noneUnique: "In no column is each value there once.",
  choices:
    "Columns with few values have a check that lists them. Remove it where others may follow.",
  createTitle: "Create {name} with the rows of the file?",
  createText:
    "The table is created first, then its rows are imported ({rows}), all or none. If the service refuses the rows, the table is there and empty, and you choose what becomes of it.",
  create: "Create and import",
  expose: "Expose the table in the Data API",
  exposeText: "Its rows can be read and changed there, by roles that you give a grant.",
  hideText: "It accepts new rows while they are imported, and is hidden again afterwards.",
  createdTitle: "{name} is created",
  created: "Rows imported: {rows}.",
  open: "Open the table",
  emptyTitle: "{name} is created and empty",
  canceled: "You canceled the import.",
  emptyText:
    "Choose the mended file to import its rows into this table, or drop the table to change its draft.",
  again: "The mended file",
  againHint: "With the same names in its first line. The import begins at once.",
  keep: "Keep the empty table",
  drop: "Drop it and change the draft",
};
