import type { manage as english } from "../en/manage.ts";

/** The texts that lists and forms of every page share in German. */
export const manage: typeof english = {
  loading: "Wird geladen",
  notLoaded: "Die Liste lässt sich nicht laden.",
  retry: "Noch einmal versuchen",
  more: "Mehr anzeigen",
  search: "Suchen",
  nothingFound: "Nichts passt dazu.",
  save: "Speichern",
  saved: "Gespeichert",
  cancel: "Abbrechen",
  close: "Schließen",
  create: "Anlegen",
  delete: "Löschen",
  edit: "Bearbeiten",
  actions: "Aktionen",
  name: "Name",
  description: "Beschreibung",
  none: "keine",
  never: "nie",
  changedMeanwhile:
    "Jemand anderes hat dies inzwischen geändert. Laden Sie neu, um es zu sehen; Ihre Eingaben bleiben bis dahin stehen.",
  reload: "Neu laden",
};
