import type * as english from "../../en/workspace/home.ts";

/** The texts of the workspace in German. */
export const workspace: typeof english.workspace = {
  navigation: "Hauptnavigation",
  openMenu: "Navigation öffnen",
  closeMenu: "Navigation schließen",
  findTable: "Tabelle suchen",
  noTable: "Keine Tabelle oder Sicht passt.",
  showAll: "Alle {count} anzeigen",
  home: "Start",
  files: "Dateien",
  people: "Personen",
  reference: "API-Referenz",
  account: "Konto von {name}",
  signedInAs: "Angemeldet als",
  signOut: "Abmelden",
  viewed: "Betrachteter Arbeitsbereich",
  viewedAs: "Sie sehen den Arbeitsbereich als <name></name>. Nichts kann geändert werden.",
  stopViewing: "Zurück zur Verwaltung",
  skip: "Zum Inhalt",
  hello: "Willkommen, {name}",
  intro: "Alles, was Sie öffnen dürfen.",
  loading: "Wird geladen",
  retry: "Erneut versuchen",
  tables: "Tabellen und Sichten",
  dataViews: "DataViews",
  dashboards: "Dashboards",
  dataView: "DataView",
  dashboard: "Dashboard",
  name: "Name",
  schema: "Schema",
  rights: "Sie dürfen",
  path: "Pfad",
  copy: "Als curl kopieren: {name}",
  copyCall: "Als MCP-Aufruf kopieren: {name}",
  copied: "Kopiert",
  nothing: "Noch nichts",
  nothingText:
    "Sie haben noch auf keine Tabelle, keine Sicht und kein Dashboard Zugriff. Ein Administrator kann ihn einer Ihrer Rollen geben.",
  READ: "lesen",
  CREATE: "anlegen",
  UPDATE: "ändern",
  DELETE: "löschen",
};

/** The texts of the home page's lists in German. */
export const home: typeof english.home = {
  pinned: "Angeheftet",
  recent: "Zuletzt geöffnet",
  pin: "{name} an die Startseite heften",
  unpin: "{name} nicht mehr anheften",
};

/** The texts of the frame of the administration in German. */
export const administration: typeof english.administration = {
  title: "Verwaltung",
  workspace: "Arbeitsbereich",
  pages: {
    home: "Überblick",
    people: "Personen",
    access: "Zugriff",
    structure: "Struktur",
    sql: "SQL",
    dataViews: "DataViews",
    dashboards: "Dashboards",
    workflows: "Workflows",
    mcp: "Agenten (MCP)",
    audit: "Protokoll",
    settings: "Einstellungen",
    configuration: "Konfiguration",
    reference: "API",
  },
};

/** The texts that lists and forms of every page share in German. */
export const manage: typeof english.manage = {
  leave: "Verlassen, ohne Ihre Änderungen zu speichern?",
  discard: "Schließen und Ihre Eingaben verwerfen?",
  untriedServer: {
    title: "PostgreSQL {version} wurde nicht erprobt",
    text: "Rowhouse ist mit PostgreSQL {testedFrom} bis {testedTo} getestet. Nicht erprobt sind mit dieser Version: Sperren und Event-Trigger, die Grenzen der SQL-Konsole, neue Anweisungen und Typen sowie Sicherungen.",
  },
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
