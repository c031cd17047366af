import type { workflowSettings as english } from "../en/workflow-settings.ts";

/** The texts of the settings of a workflow in German. */
export const workflowSettings: typeof english = {
  general: "Name und Adresse",
  slug: "Kurzname",
  slugHint: "Sein Name in URLs: Kleinbuchstaben, Ziffern und Bindestriche.",
  slugChange:
    "Die URL des Webhooks ändert sich. Aufrufe der bisherigen erhalten 404, und Schritte, die diesen Workflow unter dem bisherigen Kurznamen starten, schlagen fehl.",
  leave: "Verlassen, ohne den Namen zu speichern?",
  changed:
    "Jemand anders hat dies inzwischen geändert: {name} ({slug}). Speichern Sie noch einmal, um es zu überschreiben.",
  grants: "Wer ihn starten darf",
  grantsText:
    "Mitglieder dieser Rollen dürfen einen Webhook mit Anmeldung aufrufen. Auch Administratoren brauchen eine Rolle.",
  isPublic: "Der Webhook des Entwurfs ist öffentlich: Alle dürfen ihn ohne Rolle aufrufen.",
  noGrants: "Keine Rolle darf ihn starten.",
  role: "Rolle",
  addRole: "Erlauben",
  remove: "Entfernen",
  removeRole: "{name} entfernen",
  removeConfirm: "Wirklich entfernen",
  delete: "Den Workflow löschen",
  deleteHint: "Mit seinen Versionen, seiner Geschichte und seinen Beispielen.",
  deleteTitle: "{name} löschen?",
  deleteText:
    "Seine Versionen, Läufe, Beispiele und Rechte werden endgültig gelöscht. Solange ein Lauf offen ist, kann er nicht gelöscht werden.",
  deleteEnabled: "Er ist eingeschaltet: Aufrufe und Ereignisse starten danach nichts mehr.",
  typeSlug: "Zur Bestätigung {slug} eingeben",
};
