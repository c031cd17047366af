import type * as english from "../../en/administration/first-steps.ts";

/** The texts of an administrator's first steps in German. */
export const firstSteps: typeof english.firstSteps = {
  title: "Erste Schritte",
  hide: "Ausblenden",
  done: "erledigt",
  tables: {
    title: "Tabellen öffnen",
    text: "Noch ist nichts zu sehen. Legen Sie eine Tabelle an, importieren Sie eine CSV-Datei, laden Sie das Beispiel, oder verwenden Sie eine vorhandene Datenbank.",
    found:
      "{count, plural, one {# Tabelle oder Sicht ist} other {# Tabellen und Sichten sind}} in {schemas} verborgen. Wählen Sie, welche Sie für wen öffnen.",
    choose: "Auswählen, was geöffnet wird",
    create: "Neue Tabelle, auch aus einer CSV-Datei",
    connect: "Andere Datenbank verbinden",
  },
  role: {
    title: "Eine Rolle anlegen",
    text: "Eine Rolle legt fest, was ihre Mitglieder mit welchen Tabellen tun dürfen.",
    open: "Rollen",
  },
  person: {
    title: "Eine Person einladen",
    text: "Sie wählt ein Passwort und hat die Rollen, die Sie ihr geben.",
    open: "Einladen",
  },
  dashboard: {
    title: "Ein Dashboard anlegen",
    text: "Kennzahlen und Diagramme Ihrer Tabellen, vorgeschlagen anhand ihrer Spalten.",
    open: "Neues Dashboard",
  },
  token: {
    title: "Ein Token anlegen",
    text: "Damit meldet sich ein Programm an der API an.",
    open: "Ihre Tokens",
  },
  sample: "Das Beispiel, ein Fuhrpark, ist geladen.",
  loadSample: "Beispiel laden",
  loadingSample: "Wird geladen …",
  removeSample: "Beispiel entfernen",
  removeSampleTitle: "Das Beispiel entfernen?",
  removeSampleText:
    "Seine Tabellen mit allen Änderungen an ihren Zeilen, seine Berechtigungen, DataViews und Diagramme werden gelöscht. Ihre eigenen Tabellen bleiben.",
};

/** The texts of the page that opens hidden tables in German. */
export const openTables: typeof english.openTables = {
  title: "Tabellen öffnen",
  text: "Was Sie nicht öffnen, bleibt für alle verborgen. Sie können alles später ändern.",
  access: "Was erlaubt ist",
  accesses: { READ: "Lesen", WRITE: "Lesen und schreiben" },
  role: "Wer es darf",
  for: "Außer Administratoren",
  newRole: "Eine neue Rolle",
  noRole: "Niemand",
  newRoleName: "Name der Rolle",
  roleName: "Team",
  newRoleHint: "Danach laden Sie Personen mit dieser Rolle ein.",
  chosen: "{count} von {all} ausgewählt",
  tables: "Verborgene Tabellen und Sichten",
  view: "Sicht",
  label: "Beschriftung im Arbeitsbereich",
  labelOf: "Beschriftung von {name}",
  rowTitle: "Zeilen heißen",
  noSamples: "Die Zeilen ließen sich nicht schnell genug lesen, um einige zu zeigen.",
  open: "{count, plural, one {# Tabelle öffnen} other {# Tabellen öffnen}}",
  opened: "{count, plural, one {# Tabelle ist geöffnet.} other {# Tabellen sind geöffnet.}}",
  home: "Zur Startseite",
  invite: "Personen mit der Rolle einladen",
  dashboard: "Ein Dashboard anlegen",
  nothing: "Keine Tabelle ist verborgen.",
  leave: "Diese Seite verlassen? Ihre Beschriftungen und Titel gehen verloren.",
};

/** The texts of the page about another database in German. */
export const connect: typeof english.connect = {
  title: "Andere Datenbank verbinden",
  text: "Der Dienst arbeitet mit einer PostgreSQL-Datenbank ab Version 15, deren Adresse in seiner Umgebung steht. Ihre Tabellen bleiben, wie sie sind, und verborgen, bis Sie sie öffnen.",
  start: "Mit Ihrer Datenbank starten",
  startText:
    "Beenden Sie den Dienst, und starten Sie ihn mit der Adresse der Datenbank neu. Ihr Login braucht das Recht, ein Schema anzulegen: Der Dienst legt seine eigenen Daten im Schema system ab.",
  command: "Befehl",
  after:
    "Diese Installation behält ihre jetzige Datenbank; Konten und Einstellungen liegen darin und sind wieder da, wenn Sie ohne die Adresse starten.",
};
