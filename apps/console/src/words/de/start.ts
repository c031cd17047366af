import type * as english from "../en/start.ts";

export const product: typeof english.product = "Rowhouse";

// The texts of every page in German.

export const choices: typeof english.choices = {
  language: "Sprache",
  theme: "Farben",
  system: "System",
  light: "Hell",
  dark: "Dunkel",
  density: "Zeilen",
  compact: "Kompakt",
  comfortable: "Bequem",
};

export const errors: typeof english.errors = {
  NETWORK_ERROR:
    "Der Dienst antwortet nicht. Prüfen Sie die Verbindung, und versuchen Sie es erneut.",
  INVALID_CREDENTIALS:
    "E-Mail oder Passwort ist falsch, oder dieses Konto hat noch keinen Zugriff. Wenn das Passwort stimmt, fragen Sie einen Administrator.",
  EMAIL_NOT_VERIFIED:
    "Bestätigen Sie zuerst Ihre E-Mail-Adresse mit dem Link in der Mail, die Sie erhalten haben.",
  RATE_LIMIT_EXCEEDED:
    "Zu viele Versuche. Versuchen Sie es in {seconds, plural, one {# Sekunde} other {# Sekunden}} erneut.",
  SERVICE_UNAVAILABLE: "Der Dienst ist nicht erreichbar. Versuchen Sie es in einem Moment erneut.",
  QUERY_TIMEOUT: "Der Dienst hat zu lange gebraucht. Versuchen Sie es in einem Moment erneut.",
  ACTION_DENIED: "Das dürfen Sie nicht.",
  email: "Geben Sie eine E-Mail-Adresse ein, etwa name@example.com.",
  UNEXPECTED:
    "Im Dienst ist etwas fehlgeschlagen. Versuchen Sie es erneut; schlägt es wieder fehl, melden Sie die Uhrzeit.",
};

export const missing: typeof english.missing = {
  title: "Diese Seite gibt es nicht",
  text: "Prüfen Sie die Adresse, oder beginnen Sie in Ihrem Arbeitsbereich.",
  back: "Arbeitsbereich öffnen",
};

export const failure: typeof english.failure = {
  title: "Diese Seite lässt sich nicht anzeigen",
  text: "Laden Sie sie neu. Hilft das nicht, melden Sie Uhrzeit und Adresse Ihrer Administration.",
  reload: "Neu laden",
};

// The texts of the palette and of the list of shortcuts in German.

export const palette: typeof english.palette = {
  title: "Öffnen oder ausführen",
  open: "Suchen",
  placeholder: "Tabelle, Seite, Aktion oder Name einer Zeile",
  results: "Ergebnisse",
  found: "{count, plural, =0 {Kein Ergebnis} one {# Ergebnis} other {# Ergebnisse}}",
  nothing: "Nichts passt. Versuchen Sie es mit weniger Buchstaben.",
  here: "Auf dieser Seite",
  readings: "Dashboards und DataViews",
  tables: "Tabellen und Sichten",
  pages: "Seiten",
  actions: "Aktionen",
  rows: "Zeilen",
  notSearched:
    "{count, plural, one {Diese Tabelle} other {Diese Tabellen}} zu durchsuchen dauerte zu lange: {names}.",
  theme: "Farben: {name}",
  density: "Zeilen: {name}",
  language: "Sprache: {name}",
  singleKeysOn: "Tastenkürzel mit nur einer Taste einschalten",
  singleKeysOff: "Tastenkürzel mit nur einer Taste ausschalten",
};

export const shortcuts: typeof english.shortcuts = {
  title: "Tastenkürzel",
  close: "Schließen",
  everywhere: "Überall",
  palette: "Alles durchsuchen",
  list: "Diese Tastenkürzel anzeigen",
  singleKeys: "Tastenkürzel mit nur einer Taste",
  singleKeysHint:
    "Schalten Sie sie aus, wenn Sie diktieren oder versehentlich Tasten drücken. Tastenkürzel mit Strg oder ⌘ gelten weiter.",
};

export const keys: typeof english.keys = {
  Ctrl: "Strg",
  Alt: "Alt",
  Shift: "Umschalt",
  Enter: "Eingabe",
  Escape: "Esc",
  Space: "Leertaste",
  Delete: "Entf",
  Backspace: "Rücktaste",
};

export const renewal: typeof english.renewal = {
  title: "Ihre Sitzung ist beendet",
  text: "Melden Sie sich wieder an, um fortzufahren. Was Sie eingegeben haben, bleibt.",
  email: "E-Mail",
  password: "Passwort",
  show: "Passwort anzeigen",
  hide: "Passwort verbergen",
  submit: "Fortfahren",
  through: "Mit {name} in einem neuen Tab fortfahren",
  signOut: "Stattdessen abmelden",
  stranger:
    "{other} hat sich angemeldet, diese Seite ist aber für {email} offen. Melden Sie sich als {email} an, oder beginnen Sie von vorn.",
  startOver: "Als die andere Person neu beginnen",
};

// The texts of the sign-in pages in German.

export const signIn: typeof english.signIn = {
  title: "Anmelden",
  email: "E-Mail",
  password: "Passwort",
  show: "Passwort anzeigen",
  hide: "Passwort verbergen",
  forgot: "Passwort vergessen?",
  keep: "Auf diesem Gerät angemeldet bleiben",
  submit: "Anmelden",
  or: "oder",
  through: "Weiter mit {name}",
  new: "Noch kein Konto?",
  register: "Konto anlegen",
  back: "Zurück zur Anmeldung",
  done: {
    reset: "Ihr neues Passwort gilt. Melden Sie sich damit an.",
    verified: "Ihre E-Mail-Adresse ist bestätigt.",
  },
};

export const password: typeof english.password = {
  label: "Passwort",
  show: "Passwort anzeigen",
  hide: "Passwort verbergen",
  rule: "{min} bis {max} Zeichen. Einige Wörter ohne Zusammenhang merkt man sich leicht.",
  more: "{left, plural, one {Noch # Zeichen} other {Noch # Zeichen}}",
  good: "Dieses Passwort ist geeignet.",
  LENGTH: "Verwenden Sie {min} bis {max} Zeichen.",
  COMMON: "Dieses Passwort ist zu verbreitet. Angreifer versuchen es zuerst.",
  OWN_WORDS: "Verwenden Sie mehr als Ihren Namen, Ihre Adresse oder den Namen dieses Produkts.",
};

export const register: typeof english.register = {
  title: "Konto anlegen",
  name: "Name",
  email: "E-Mail",
  submit: "Konto anlegen",
  closed: "Hier gibt es Konten nur auf Einladung.",
  sentTitle: "Sehen Sie in Ihr Postfach",
  sentText: "Wir haben eine Mail an {email} gesendet. Öffnen Sie den Link darin.",
};

export const forgot: typeof english.forgot = {
  title: "Passwort vergessen?",
  text: "Geben Sie Ihre E-Mail-Adresse ein, um einen Link für ein neues Passwort zu erhalten.",
  email: "E-Mail",
  submit: "Link senden",
  sentTitle: "Sehen Sie in Ihr Postfach",
  sentText:
    "Gibt es ein Konto mit der Adresse {email}, ist eine Mail mit einem Link unterwegs. Der Link gilt 15 Minuten.",
};

export const reset: typeof english.reset = {
  title: "Neues Passwort setzen",
  text: "Das beendet Ihre Sitzungen auf allen Geräten.",
  submit: "Passwort setzen",
};

export const verify: typeof english.verify = {
  doneTitle: "Adresse bestätigt",
  done: "Die Adresse gehört zu Ihrem Konto. Melden Sie sich ab jetzt mit ihr an.",
  continue: "Arbeitsbereich öffnen",
  title: "E-Mail-Adresse bestätigen",
  text: "Mit einem Klick gehört die Adresse zu Ihrem Konto.",
  submit: "Adresse bestätigen",
  resend: "Link erneut senden",
  sent: "Gibt es ein Konto mit dieser Adresse, ist ein neuer Link unterwegs.",
};

export const invitation: typeof english.invitation = {
  title: "Einladung annehmen",
  text: "Wählen Sie ein Passwort, und Ihr Konto ist bereit.",
  from: "{inviter} lädt {email} zu {site} ein, als {roles}. Wählen Sie ein Passwort, und Ihr Konto ist bereit.",
  nobody: "Eine Administratorin oder ein Administrator",
  name: "Name",
  nameHint: "Leer lassen, um den Namen der Einladung zu behalten.",
  submit: "Konto anlegen und anmelden",
};

export const linkFailure: typeof english.linkFailure = {
  title: "Dieser Link gilt nicht",
  reset:
    "Er ist ungültig, abgelaufen oder schon benutzt. Links für ein neues Passwort gelten 15 Minuten.",
  verify:
    "Er ist ungültig, abgelaufen oder schon benutzt. Melden Sie sich an, um einen neuen zu erhalten.",
  invitation: "Er ist ungültig, abgelaufen oder schon benutzt. Bitten Sie um eine neue Einladung.",
  again: "Neuen Link anfordern",
};

export const complete: typeof english.complete = {
  title: "Sie werden angemeldet",
  waiting: "Einen Moment.",
  failed: "Die Anmeldung ist fehlgeschlagen",
  linkedTitle: "Konto verbunden",
  linked: "Ab jetzt können Sie sich auch mit diesem Konto anmelden.",
  continue: "Arbeitsbereich öffnen",
  expired:
    "Diese Anmeldung hat zu lange gedauert oder begann in einem anderen Browser. Beginnen Sie von vorn.",
  unknown_provider: "Diese Installation hat keinen solchen Anbieter. Melden Sie sich anders an.",
  provider_failed:
    "Der Anbieter hat nicht bestätigt, wer Sie sind. Versuchen Sie es erneut, oder melden Sie sich anders an.",
  canceledTitle: "Anmeldung abgebrochen",
  canceled: "Sie haben die Anmeldung beim Anbieter abgebrochen.",
  unverified:
    "Der Anbieter bestätigt Ihre E-Mail-Adresse nicht. Bitten Sie Ihre Administration um eine Einladung, melden Sie sich damit an, und verbinden Sie den Anbieter in Ihrem Konto.",
  not_allowed:
    "Dieses Konto darf sich hier nicht anmelden. Bitten Sie Ihre Administration um eine Einladung.",
  account_exists:
    "Es gibt ein Konto mit dieser Adresse. Melden Sie sich mit dessen Passwort an, und verbinden Sie dann den Anbieter.",
  rate_limited: "Zu viele Versuche. Warten Sie eine Minute, und versuchen Sie es erneut.",
  unavailable:
    "Der Dienst oder der Anbieter ist nicht erreichbar. Versuchen Sie es in einem Moment erneut.",
};

export const trial: typeof english.trial = {
  title: "Die Anmeldung wird getestet",
  waiting: "Einen Moment.",
  works: "Die Anmeldung funktioniert",
  user: "Angemeldet wurde {name} ({email}).",
  ended: "Die Sitzung dieses Tests ist beendet. Sie sind angemeldet wie zuvor.",
  back: "Zurück zu den Anbietern",
};

export const consent: typeof english.consent = {
  title: "Zugriff erlauben?",
  loading: "Die Anfrage wird gelesen",
  wants: "möchte den MCP-Server dieser Installation in Ihrem Namen verwenden.",
  publishedBy: "Das Programm beschreibt sich unter",
  unproven: "Niemand hat diesen Namen geprüft",
  unprovenText: "Das Programm hat sich selbst angemeldet, mit einem Namen seiner Wahl.",
  leadsTo: "Ihre Antwort geht an",
  loopback: "Ein Programm auf diesem Gerät",
  person: "Im Namen von",
  otherAccount: "Anderes Konto verwenden",
  may: "Es darf",
  scopes: {
    read: "Zeilen lesen",
    write: "Zeilen anlegen, ändern und löschen",
    workflows: "Workflows starten",
  },
  scopeTexts: {
    read: "Nur Zeilen, die Sie selbst lesen dürfen.",
    write: "Soweit Sie es dürfen, und soweit diese Installation es Programmen erlaubt.",
    workflows: "Nur Workflows, die als Werkzeug angeboten sind und die Sie starten dürfen.",
  },
  notOffered:
    "Das Programm bittet nicht darum, oder diese Installation erlaubt es keinem Programm.",
  never:
    "Ihr Konto, die Verwaltung und SQL erreicht es nie. Ein Text in einer Zeile kann ein Programm irreführen, das ihn liest: Erlauben Sie nur, was es braucht.",
  name: "Name dieses Zugriffs",
  nameHint: "Unter diesem Namen steht er bei Ihren Tokens. Dort können Sie ihn jederzeit beenden.",
  nameFault: "1 bis 100 Zeichen.",
  nameTaken: "Eines Ihrer Tokens hat diesen Namen.",
  days: "Endet nach",
  dayCount: "{count, plural, one {# Tag} other {# Tagen}}",
  more: "Als „{name}“, für {count, plural, one {# Tag} other {# Tage}}",
  allow: "Erlauben",
  deny: "Ablehnen",
  failed: "Diese Anfrage lässt sich nicht beantworten",
  failedText:
    "Es wurde nichts erlaubt. Schließen Sie diese Seite, und beginnen Sie im Programm noch einmal. Hilft das nicht, liegt der Fehler im Programm, oder jemand hat Ihnen einen falschen Link geschickt.",
  twice: "Die Adresse nennt einen Parameter zweimal.",
  off: "In dieser Installation können Programme nicht um Zugriff bitten.",
  mayNot:
    "Ihre Rollen erlauben Ihnen keine Tokens, und damit auch keinen Zugriff für Programme. Ein Administrator kann das ändern.",
  workspace: "Zur Startseite",
  leaving: "Zurück zum Programm",
  leavingText: "Sie können diese Seite schließen, wenn das Programm übernommen hat.",
  open: "Das Programm noch einmal öffnen",
};
