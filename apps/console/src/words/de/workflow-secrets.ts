import type { workflowSecrets as english } from "../en/workflow-secrets.ts";

/** The texts of the secrets of workflows in German. */
export const workflowSecrets: typeof english = {
  title: "Geheimnisse",
  text: "Schlüssel und Passwörter für andere Systeme, verschlüsselt. Workflows nennen sie; niemand liest sie.",
  new: "Neues Geheimnis",
  search: "Nach Namen suchen",
  empty: "Noch kein Geheimnis",
  emptyText:
    "Eine Anfrage nennt ein Geheimnis als '{{secrets.NAME}}', ein Webhook in seiner Signatur.",
  usedBy: "Verwendet von",
  unused: "nichts Veröffentlichtem",
  more: "und {count, number} weitere",
  changed: "Geändert",
  change: "Ändern",
  edit: "{name} ändern",
  delete: "{name} löschen",
  nameHint: "Großbuchstaben, Ziffern und _. Er kann später nicht geändert werden.",
  value: "Wert",
  valueHint: "8 bis 4096 Zeichen. Er kann nicht wieder gelesen werden.",
  newValue: "Neuer Wert",
  newValueHint: "Leer: Der Wert bleibt. Ein neuer gilt ab dem nächsten Schritt.",
  show: "Den Wert zeigen",
  hide: "Den Wert verbergen",
  deleteTitle: "{name} löschen?",
  deleteText: "Schritte, die es verwenden, schlagen ab jetzt fehl. Der Wert geht verloren.",
  deleteUsed:
    "{count, plural, one {Ein veröffentlichter Workflow verwendet es: {slugs}} other {# veröffentlichte Workflows verwenden es: {slugs}}}",
};
