import type * as english from "../../en/administration/single-pages.ts";

/** The texts of the first page of the administration in German. */
export const overview: typeof english.overview = {
  title: "Überblick",
  text: "Die Installation in Zahlen und was Aufmerksamkeit braucht, mit der Seite, die es behebt.",
  count: "{count, number}",
  more: "{count, plural, one {und # weiteres} other {und # weitere}}",
  nothing: "Alles in Ordnung",
  nothingText:
    "Jede Tabelle ist für eine Rolle offen, ein Mailserver ist eingerichtet, kein Token läuft bald ab, kein Workflow warnt, keine Einstellung ist unsicher.",
  figures: {
    count: "{count, number}",
    more: "{count, number}+",
    tables: "Offene Tabellen und Sichten",
    hidden: "{count, plural, =0 {keine verborgen} other {# verborgen}}",
    people: "Personen",
    roles: "Rollen",
    workflows: "Aktive Workflows",
    ofAll: "von {count, number}",
    runs: "Läufe der letzten 24 Stunden",
    failed: "{count, plural, =0 {keiner fehlgeschlagen} other {# fehlgeschlagen}}",
  },
  runs: "Läufe der letzten 24 Stunden",
  runCounts: "{all, plural, one {# Lauf} other {# Läufe}}, {failed, number} fehlgeschlagen",
  hour: "{hour}: {all, plural, one {# Lauf} other {# Läufe}}, {failed, number} fehlgeschlagen",
  hidden: {
    title: "{count, plural, one {# Tabelle ist verborgen} other {# Tabellen sind verborgen}}",
    text: "Keine API und keine Seite des Arbeitsbereichs zeigt eine verborgene Tabelle oder Sicht. Die Zugriffsmatrix öffnet sie für Rollen.",
    open: "Tabellen zum Öffnen wählen",
    link: "Zugriffsmatrix",
  },
  noMail: {
    title: "Kein Mailserver ist eingerichtet",
    text: "Einladungen, neue Passwörter und Meldungen über fehlgeschlagene Läufe erreichen niemanden: Mails werden in Dateien des Dienstes geschrieben. Setzen Sie SMTP_URL in seiner Umgebung.",
  },
  unreached: {
    title: "Freigegeben, aber für niemanden",
    text: "Außer Administratoren hat keine Rolle eine wirksame Berechtigung an diesen Tabellen und Sichten.",
  },
  ineffective: {
    title: "Berechtigungen ohne Wirkung",
    text: "Eine Spalte, die die Berechtigung braucht, wurde gelöscht, oder ihr Typ, ihre Sortierung oder ihre Werteliste hat sich geändert; die Berechtigung gewährt daher nichts. Prüfen Sie sie, und speichern Sie sie erneut.",
    grant: "{role}: {action} in {table}",
    actions: { READ: "Lesen", CREATE: "Anlegen", UPDATE: "Ändern", DELETE: "Löschen" },
    role: "Eine gelöschte Rolle",
    lost: "wegen: {columns}",
  },
  expiring: {
    title: "Tokens, die bald ablaufen",
    text: "Höchstens ein Fünftel ihrer Laufzeit bleibt. Erneuern Sie sie, bevor die Programme stehen bleiben, die sie verwenden.",
    detail: "{owner}, bis {day}",
  },
  unsafe: { title: "Unsichere Einstellungen", text: "Diese Werte sind für den Betrieb unsicher." },
  broken: {
    title: "Workflows mit einem Problem",
    text: "Sie können erst wieder laufen, wenn es behoben ist.",
  },
  doubtful: {
    title: "Workflows mit Warnungen",
    text: "Sie sind eingeschaltet, aber ein Schritt scheitert wahrscheinlich: Die Prüfung des Editors findet in der veröffentlichten Version einen Fehler.",
    more: "{count, plural, one {und # weitere Warnung} other {und # weitere Warnungen}}",
  },
  code: {
    title: "Code der Datenbank kann als Administrator handeln",
    text: "Ein Login, der in dieser Datenbank Trigger oder Funktionen anlegen darf, kann als Administrator handeln. Der Betreiber beendet das mit einem dritten Login (SYSTEM_DATABASE_URL) und der Datei close-service.sql.",
  },
  lostMails: {
    title: "Aufgegebene Mails",
    text: "In den letzten 24 Stunden: Der Mailserver hat sie abgelehnt, oder ihr Link ist vorher abgelaufen. Die Empfänger müssen eine neue anfordern.",
    user: { named: "Mail an <name></name>", gone: "Mail an eine gelöschte Person" },
    invitation: { named: "Einladung von <name></name>", gone: "Eine gelöschte Einladung" },
    run: {
      named: "Mail des Workflows <name></name>",
      gone: "Mail eines gelöschten Workflows",
    },
  },
  failed: {
    title: "Fehlgeschlagene Läufe",
    text: "In den letzten 24 Stunden, ohne Tests. Läufe mit demselben Fehler sind zu einem Eintrag zusammengefasst.",
    step: "Schritt {step}",
    times: "{count, number}-mal, zuletzt",
  },
};

/** The texts of the SQL console in German. */
export const sql: typeof english.sql = {
  title: "SQL",
  text: "Anweisungen laufen unter einem Login, das die Zeilen Ihrer Tabellen lesen und ändern darf und sonst wenig. Sie sind eine Transaktion, die nur liest, bis Sie eine Änderung bestätigen.",
  tabs: {
    label: "Texte des Editors",
    unnamed: "Abfrage {number}",
    add: "Neuer Reiter",
    rename: "{name} umbenennen",
    close: "{name} schließen",
    confirmClose: "{name} schließen? Der Text geht verloren.",
    name: "Name",
  },
  names: { label: "Tabellen", insert: "{name} einfügen" },
  editor: "SQL-Anweisungen",
  run: "Ausführen",
  runSelection: "Auswahl ausführen",
  explain: "Plan zeigen",
  cancelRun: "Lauf abbrechen",
  cancelling: "Wird abgebrochen …",
  running: "Läuft …",
  start: "Strg Enter führt die Auswahl aus, sonst alles. Strg Leertaste ergänzt Namen.",
  history: "Verlauf",
  historyText: "Die letzten 50 Anweisungen, die Sie in diesem Browser ausgeführt haben.",
  noHistory: "Hier stehen die Anweisungen, die Sie ausführen, nur in diesem Browser.",
  hasFailed: "fehlgeschlagen",
  saved: "Gespeicherte Anweisungen",
  noneSaved: "Es ist keine Anweisung gespeichert.",
  saveAs: "Text des Editors speichern als",
  savedHere: "Nur in diesem Browser gespeichert.",
  replacesSaved: "Ersetzt die gespeicherte Anweisung dieses Namens.",
  deleteSaved: "{name} löschen",
  rowLimit: "Zeilen",
  timeLimit: "Zeit",
  usual: "wie eingestellt",
  rowsMax: "{count, number}",
  seconds: "{count, number} s",
  done: "{count, plural, one {# Anweisung} other {# Anweisungen}} in {duration} ms",
  committed:
    "{count, plural, one {# Anweisung} other {# Anweisungen}} in {duration} ms, Änderungen übernommen",
  notices: "Meldungen",
  result: "Ergebnis {number}",
  rowsOf: "Zeilen des Ergebnisses {number}",
  rows: "{count, plural, one {{number} Zeile} other {{number} Zeilen}}",
  changedRows: "{count, plural, one {{number} Zeile geändert} other {{number} Zeilen geändert}}",
  showMore: "Mehr zeigen (noch {count, number})",
  truncated: "Zeilen fehlen: Das Ergebnis ist länger als die Grenzen des Laufs.",
  exportCsv: "Ergebnis {number} als CSV speichern",
  exportNdjson: "Ergebnis {number} als NDJSON speichern",
  emptyText: "leerer Text",
  failedStatement: "Anweisung {number}: {message}",
  detail: "Einzelheiten",
  hint: "Hinweis",
  rolledBack: "Der Lauf wurde zurückgenommen.",
  failure: {
    SESSION_REQUIRED:
      "Die SQL-Konsole braucht eine Sitzung. Die Einstellung sql_console.allow_api_tokens bestimmt, ob Tokens zugelassen sind, und nur eine Sitzung kann sie ändern.",
    SQL_CANCELLED: "Der Lauf wurde abgebrochen. Nichts davon bleibt.",
    QUERY_TIMEOUT:
      "Der Lauf hat seine Zeit überschritten und wurde zurückgenommen. Wählen Sie eine längere Zeit, um es erneut zu versuchen.",
  },
  write: {
    title: "Anweisungen ausführen, die Daten ändern?",
    text: "Alle diese Anweisungen laufen in einer Transaktion, die danach übernommen wird. Das lässt sich nicht zurücknehmen.",
    reason: "PostgreSQL führt sie nicht nur lesend aus: {reason}.",
    run: "Ausführen und übernehmen",
    cancel: "Abbrechen",
  },
  plan: {
    title: "Ausführungsplan",
    text: "So würde PostgreSQL die Anweisung jetzt ausführen, mit seinen Schätzungen. Der Prozentsatz ist der Teil der Kosten, der in einem Schritt selbst entsteht.",
    costliest: "kostet am meisten",
    numbers:
      "{percent} · {count, plural, one {{rows} Zeile} other {{rows} Zeilen}} · Kosten {cost}",
  },
};

/** The texts of the reference of the APIs in German. */
export const reference: typeof english.reference = {
  title: "API",
  text: "Was jede Operation annimmt und zurückgibt, mit Anfragen, die zu Ihren Daten passen.",
  document: "Dokument",
  documents: {
    own: "Was Sie aufrufen dürfen",
    admin: "Admin-API",
    app: "App-API",
    role: "Daten-API der Rolle {name}",
  },
  find: "Operation suchen",
  makeToken: "Token anlegen",
  secretShown:
    "Das neue Token steht in den Anfragen unten, bis Sie diese Seite verlassen. Es wird nirgends gespeichert.",
  parameters: "Parameter",
  required: "erforderlich",
  body: "Inhalt",
  answer: "Antwort {status}",
  noBody: "Ohne JSON.",
  call: "MCP-Aufruf",
  copy: "{title} kopieren",
  copied: "Kopiert",
};

/** The texts of the use of files in German. */
export const fileUse: typeof english.fileUse = {
  start: "Dateien verwenden",
  startAsk: "Dateien verwenden …",
  startText:
    "Die Tabellen für Dateien und Ordner werden freigegeben, und die gewählten Rollen erhalten Rechte daran. Administratoren sehen alle Dateien. Rechte, die eine Rolle schon hat, bleiben unverändert.",
  unused: "Dateien werden nicht verwendet",
  unusedText:
    "Hier lassen sich Bilder und Dokumente ablegen, auf die Spalten von Tabellen verweisen können. Ein Schritt öffnet die Bibliothek für die Rollen, die Sie wählen.",
  usedHint:
    "Die Bibliothek ist offen. Welche Rollen Dateien lesen und hochladen dürfen, steht in der Zugriffsmatrix.",
  rolesHint: "Ohne Rolle verwenden nur Administratoren Dateien.",
  rights: "Die Rollen dürfen",
  choices: { READ: "lesen", UPLOAD: "lesen und hochladen" },
  effects: {
    READ: "Alle Dateien und Ordner.",
    UPLOAD:
      "Alle Dateien und Ordner sind lesbar. Ändern und löschen lassen sich nur eigene Dateien. Veröffentlichen ist nicht erlaubt.",
  },
  stop: "Dateien nicht mehr verwenden",
  stopTitle: "Dateien nicht mehr verwenden?",
  stopText:
    "Die Tabellen für Dateien und Ordner werden verborgen. Niemand liest Dateien oder lädt welche hoch, bis sie wieder verwendet werden, auch Administratoren nicht. Dateien und Rechte bleiben erhalten; eine veröffentlichte Datei öffnet sich weiterhin unter ihrer Adresse.",
};
