/** The texts of imports and exports in English. */
export const transfer = {
  export: "Export",
  exportScope: "All rows of this view, with its columns",
  csv: "CSV, for spreadsheets",
  ndjson: "NDJSON, for programs",
  exporting: "Exporting {name}",
  exportFailed: "{name} was not exported",
  cancelExport: "Cancel the export of {name}",
  dismiss: "Dismiss",
  rowsSoFar: "{rows} rows · {size}",
  rowsOfAll: "{rows} of {all} rows · {size}",
};
