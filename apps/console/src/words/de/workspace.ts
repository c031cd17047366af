import type { workspace as english } from "../en/workspace.ts";

/** The texts of the workspace in German. */
export const workspace: typeof english = {
  navigation: "Hauptnavigation",
  openMenu: "Navigation öffnen",
  closeMenu: "Navigation schließen",
  findTable: "Tabelle suchen",
  noTable: "Keine Tabelle oder Sicht passt.",
  showAll: "Alle {count} anzeigen",
  home: "Start",
  reference: "API-Referenz",
  account: "Konto von {name}",
  signedInAs: "Angemeldet als",
  signOut: "Abmelden",
  skip: "Zum Inhalt",
  hello: "Willkommen, {name}",
  intro: "Alles, was Sie öffnen dürfen, mit dem Pfad der API.",
  loading: "Wird geladen",
  retry: "Erneut versuchen",
  tables: "Tabellen und Sichten",
  dataViews: "DataViews",
  dashboards: "Dashboards",
  name: "Name",
  schema: "Schema",
  rights: "Sie dürfen",
  path: "Pfad",
  copy: "Als curl kopieren: {name}",
  copied: "Kopiert",
  nothing: "Noch nichts",
  nothingText:
    "Keine Tabelle, keine Sicht und kein Dashboard ist für Sie offen. Ein Administrator gibt einer Ihrer Rollen Zugriff.",
  nothingAdministrator:
    "Noch ist keine Tabelle freigegeben. Die API-Referenz zeigt, wie man eine anlegt und freigibt.",
  READ: "lesen",
  CREATE: "anlegen",
  UPDATE: "ändern",
  DELETE: "löschen",
};
