import type * as english from "../../en/administration/record-fields.ts";

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
