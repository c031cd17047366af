import type { transfer as english } from "../en/transfer.ts";

/** The texts of imports and exports in German. */
export const transfer: typeof english = {
  export: "Exportieren",
  exportScope: "Alle Zeilen dieser Ansicht, mit ihren Spalten",
  csv: "CSV, für Tabellenprogramme",
  ndjson: "NDJSON, für Programme",
  exporting: "{name} wird exportiert",
  exportFailed: "{name} wurde nicht exportiert",
  cancelExport: "Export von {name} abbrechen",
  dismiss: "Ausblenden",
  rowsSoFar: "{rows} Zeilen · {size}",
  rowsOfAll: "{rows} von {all} Zeilen · {size}",
};
