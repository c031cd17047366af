import type * as english from "../en/records.ts";

/**
 * The texts of the fields of records in German: in a form, for a fault in it, on a badge of a record, and in a sentence of the
 * audit log.
 */
export const recordFields: typeof english.recordFields = {
  role: {
    name: {
      label: "Name",
      fault: "Verwenden Sie 1 bis 100 Zeichen.",
      taken: "Eine andere Rolle hat diesen Namen.",
      changed: "Name",
    },
    description: {
      label: "Beschreibung",
      fault: "Verwenden Sie höchstens 1000 Zeichen.",
      changed: "Beschreibung",
    },
    apiAccess: {
      label: "Mitglieder dürfen sich anmelden und die API verwenden",
      badge: "API-Zugriff",
      noBadge: "Kein API-Zugriff",
      changed: "API-Zugriff",
    },
    tokenCreation: {
      label: "Mitglieder dürfen eigene Tokens anlegen",
      badge: "Eigene Tokens",
      changed: "Recht auf eigene Tokens",
    },
  },
};

/** The texts that the pages of simple kinds share in German. */
export const recordPage: typeof english.recordPage = {
  editTitle: "{name} bearbeiten",
  deleteTitle: "{name} löschen?",
  deleteText: "Der Eintrag wird endgültig gelöscht.",
  changed:
    "Jemand anderes hat dies inzwischen geändert. Die anderen Felder zeigen den gespeicherten Stand. Was Sie eingegeben haben, bleibt; speichern Sie noch einmal, um es zu ersetzen.",
};

/** The texts of the page of each simple kind in German. */
export const recordPages: typeof english.recordPages = {};

/** What sentences call a record of a simple kind in German; they join those of the audit log. */
export const recordNames: typeof english.recordNames = {};

/** The steps of a plan for each simple kind in German, and what lists call its documents. */
export const recordSteps: typeof english.recordSteps = {};
export const recordParts: typeof english.recordParts = {};
