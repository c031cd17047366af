import type { audit as english } from "../en/audit.ts";

/** The texts of the audit log in German. */
export const audit: typeof english = {
  title: "Protokoll",
  text: "Jede Änderung des Systems: wer, woran und in welcher Anfrage. Es enthält Namen von Feldern und keine Werte.",
  empty: "Es wurde noch nichts geändert.",
  action: "Vorgang",
  target: "Ziel",
  fields: "Geänderte Felder",
  actor: "Von",
  time: "Zeit",
  nobody: "niemand",
  byToken: "Token {id}",
  outcome: "Ausgang",
  any: "Alle",
  SUCCEEDED: "Gelungen",
  FAILED: "Abgelehnt",
  remove: "Filter {name} entfernen",
  filters: {
    search: "Vorgang enthält",
    actorUserId: "Person",
    actorTokenId: "Token",
    targetKind: "Art des Ziels",
    targetId: "Id des Ziels",
    changedField: "Geändertes Feld",
    address: "Adresse",
    requestId: "Anfrage",
    since: "Seit",
    until: "Bis",
  },
};
