import type * as english from "../../en/administration/people.ts";

/** The texts of users in German. */
export const people: typeof english.people = {
  title: "Personen",
  tabs: {
    users: "Benutzer",
    roles: "Rollen",
    invitations: "Einladungen",
    providers: "Anbieter",
    tokens: "Zugriffstokens",
  },
  text: "Alle, die sich anmelden können, und die Konten des Systems. Rollen bestimmen, was jemand darf.",
  managedText: "Die Konten, die Sie mit Ihren Rollen verwalten dürfen.",
  managedNewText:
    "Das Konto hat noch keine Rolle. Die Person setzt ihr Passwort über „Passwort vergessen“ oder meldet sich über einen Anbieter an.",
  new: "Neuer Benutzer",
  newText:
    "Der Benutzer hat noch keine Rolle; Rollen geben Sie auf der nächsten Seite. Ohne Passwort setzt er eines über „Passwort vergessen“ oder meldet sich über einen Anbieter an.",
  search: "Benutzer suchen",
  state: "Zustand",
  all: "Alle",
  active: "Aktiv",
  inactive: "Inaktiv",
  access: "Zugriff",
  accessAll: "Alle",
  accessTrue: "Darf sich anmelden",
  accessFalse: "Kein Zugriff",
  system: "Systemkonto",
  systemText:
    "Dieses Konto gehört dem Dienst. Es kann sich nicht anmelden und lässt sich nicht ändern.",
  unverified: "Unbestätigt",
  empty: "Keine Benutzer.",
  email: "E-Mail",
  emailFault: "Geben Sie eine E-Mail-Adresse ein, etwa name@example.com.",
  emailTaken: "Ein anderer Benutzer hat diese Adresse.",
  vouched: "Die Adresse gilt als bestätigt, weil Sie für sie bürgen.",
  moved:
    "Die neue Adresse erhält einen Link zur Bestätigung; die alte erhält eine Nachricht, und Links, die an sie gingen, werden ungültig.",
  movedVouched: "Die neue Adresse gilt als bestätigt. Die alte erhält eine Nachricht.",
  vouch: "Ich bürge für diese Adresse",
  nameFault: "Verwenden Sie höchstens 200 Zeichen.",
  password: "Passwort (optional)",
  timeZone: "Zeitzone",
  timeZoneHint: "Ohne Angabe gilt die des Dienstes. Geben Sie einen Teil des Stadtnamens ein.",
  timeZoneFault: "Diese Zeitzone gibt es nicht. Wählen Sie eine aus der Liste, etwa Europe/Oslo.",
  language: "Sprache",
  languageAny: "Wie Browser oder Dienst",
  roles: "Rollen",
  andOthers: "{names} und {count, plural, one {# weitere} other {# weitere}}",
  lastSignIn: "Letzte Anmeldung",
  viewAs: "Ansehen als",
  trail: "Änderungen dieser Person",
  changed:
    "Jemand anderes hat dies inzwischen geändert. Es ist jetzt: {name}, {email}, {timeZone}. Ihre Eingaben bleiben; speichern Sie noch einmal, um es zu ersetzen.",
  userTabs: {
    profile: "Profil und Rollen",
    permissions: "Rechte",
    sessions: "Sitzungen",
    tokens: "Zugriffstokens",
  },
  deactivate: "Deaktivieren",
  deactivateTitle: "{name} deaktivieren?",
  deactivateText:
    "Die Sitzungen enden, und Tokens werden mit der nächsten Anfrage abgewiesen. Rollen und Tokens bleiben, für den Tag, an dem Sie das Konto wieder aktivieren. Nichts, was die Person geschrieben hat, wird gelöscht.",
  activate: "Aktivieren",
  activateTitle: "{name} aktivieren?",
  activateText:
    "Die Person kann sich wieder anmelden, mit den Rollen, die sie hat. Ihre Tokens gelten wieder, bis sie ablaufen. Beendete Sitzungen bleiben beendet.",
  lastAdministrator:
    "Ein aktiver Administrator muss bleiben. Machen Sie zuerst eine andere Person zum Administrator.",
  rolesText: "Eine Änderung gilt ab der nächsten Anfrage.",
  noRoles:
    "Ohne eine Rolle mit API-Zugriff kann sich diese Person nicht anmelden. Geben Sie ihr eine.",
  addRole: "Rolle hinzufügen",
  add: "Hinzufügen",
  added: "Hinzugefügt: {name}",
  remove: "Entfernen",
  removeRole: "Rolle {name} entfernen",
  removeMember: "{name} entfernen",
  memberAlready: "Diese Person ist schon Mitglied.",
  leaveTitle: "{name} aus {role} entfernen?",
  leaveText:
    "Die Berechtigungen dieser Rolle gelten für diese Person ab der nächsten Anfrage nicht mehr.",
  leftAlready: "Diese Person ist kein Mitglied mehr. Jemand anderes hat sie entfernt.",
  administratorTitle: "{name} zum Administrator machen?",
  administratorConfirm: "Zum Administrator machen",
  administratorText:
    "Administratoren dürfen alles lesen und ändern, auch Personen und Rollen. Jeder Administrator erhält darüber eine Mail.",
  sessionsText:
    "Wo diese Person angemeldet ist. Eine beendete Sitzung wird mit ihrer nächsten Anfrage abgewiesen.",
  noSessions: "Nirgends angemeldet.",
  since: "Angemeldet {since} mit {way}",
  endAll: "Alle Sitzungen beenden",
  endAllTitle: "Alle Sitzungen dieser Person beenden?",
  endTitle: "Diese Sitzung beenden?",
  endedAlready: "Die Sitzung ist schon beendet.",
  permissionsText:
    "Die Berechtigungen aller Rollen zusammen, wie der Dienst sie auf jede Anfrage anwendet.",
  searchResources: "Tabellen und Sichten suchen",
  resource: "Tabelle oder Sicht",
  byRoles: "Durch die Rollen",
  actions: { READ: "Lesen", CREATE: "Anlegen", UPDATE: "Ändern", DELETE: "Löschen" },
  notAllowed: "nein",
  everyNewRow: "jede neue Zeile",
  someNewRows: "einige neue Zeilen",
  everyRow: "jede Zeile",
  someRows: "manche Zeilen",
  fields: "{count, plural, one {# Spalte} other {# Spalten}}",
  hidden: "nicht freigegeben",
  noPermissions: "Keine Berechtigung an einer Tabelle oder Sicht.",
  noPermissionsText:
    "Eine Berechtigung gibt einer Rolle eine Aktion an einer Tabelle oder Sicht. Die Rollen dieser Person haben keine.",
  standing: {
    inactive: "Das Konto ist inaktiv: Jede Anfrage wird abgewiesen.",
    administrator: "Administrator: Alles Freigegebene ist ohne Berechtigung erlaubt.",
    noAccess: "Keine Rolle hat API-Zugriff: Diese Person kann sich nicht anmelden.",
    tokens: "Darf sich anmelden und eigene Tokens anlegen.",
    noTokens: "Darf sich anmelden. Keine Rolle erlaubt eigene Tokens.",
  },
};

/** The texts of roles in German. */
export const roles: typeof english.roles = {
  title: "Rollen",
  text: "Eine Rolle fasst Berechtigungen zusammen und gibt sie ihren Mitgliedern. Eine Person darf, was ihre Rollen zusammen erlauben.",
  new: "Neue Rolle",
  newText: "Die Rolle hat noch keine Mitglieder und keine Berechtigungen.",
  search: "Rollen suchen",
  empty: "Keine Rollen.",
  members: "Mitglieder",
  settings: "Einstellungen",
  invite: "Mit dieser Rolle einladen",
  administratorsRights:
    "Mitglieder der Rolle Administrators brauchen keine Berechtigung: Sie dürfen alles.",
  rights: "Rechte",
  everything: "Darf alles",
  descriptionFault: "Verwenden Sie höchstens 1000 Zeichen.",
  losesAccess:
    "{count, plural, one {Das Mitglied} other {Jedes der # Mitglieder}} ohne eine andere Rolle mit API-Zugriff ist mit der nächsten Anfrage abgemeldet.",
  changed:
    "Jemand anderes hat dies inzwischen geändert. Es ist jetzt: {name}, „{text}“. Ihre Eingaben bleiben; speichern Sie noch einmal, um es zu ersetzen.",
  addMember: "Person hinzufügen",
  searchMembers: "Mitglieder suchen",
  noMembers: "Noch keine Mitglieder.",
  noMembersText: "Suchen Sie oben eine Person nach Name oder Adresse, und fügen Sie sie hinzu.",
  since: "Mitglied seit",
  deleteTitle: "Rolle {name} löschen?",
  deleteConfirm: "Rolle löschen",
  deleteMembers:
    "{count, plural, =0 {Sie hat keine Mitglieder.} one {Ein Mitglied verliert, was sie erlaubt.} other {# Mitglieder verlieren, was sie erlaubt.}}",
  deleteGrants:
    "{count, plural, =0 {Sie hat keine Berechtigungen.} one {Eine Berechtigung wird mit ihr gelöscht.} other {# Berechtigungen werden mit ihr gelöscht.}}",
  deleteText:
    "Das gilt ab der nächsten Anfrage und lässt sich nicht zurücknehmen. Kein Konto wird gelöscht.",
};

/** The texts of invitations in German. */
export const invitations: typeof english.invitations = {
  text: "Eingeladene öffnen den Link ihrer Mail oder einen, den Sie übergeben, wählen ein Passwort und haben die Rollen der Einladung.",
  new: "Person einladen",
  search: "Einladungen suchen",
  empty: "Noch niemand wurde eingeladen.",
  emptyText: "Laden Sie eine Person über ihre Adresse ein.",
  nameHint: "Beim Annehmen kann die Person ihn ändern.",
  rolesHint: "Mindestens eine Rolle mit API-Zugriff.",
  rolesFault: "Wählen Sie mindestens eine Rolle mit API-Zugriff.",
  languageAny: "Englisch",
  newText:
    "Der Link gilt einmal, 72 Stunden lang. Eine neue Einladung an dieselbe Adresse ersetzt eine offene.",
  send: "Einladung senden",
  sendAgain: "Erneut senden",
  sendAgainOne: "Erneut senden: {email}",
  link: "Link kopieren",
  linkOne: "Link kopieren: {email}",
  createLink: "Link erstellen",
  noMail:
    "Es ist kein Mailserver eingerichtet, deshalb wird keine Mail gesendet. Sie erhalten einen Link, den Sie übergeben.",
  toFile:
    "Es ist kein Mailserver eingerichtet: Die Mail wurde in eine Datei des Dienstes geschrieben. Erstellen Sie stattdessen einen Link, den Sie übergeben.",
  linkText:
    "Geben Sie der Person diesen Link. Wer ihn öffnet, kann die Einladung annehmen. Er wird nur jetzt gezeigt, und frühere Links gelten nicht mehr.",
  copy: "Kopieren",
  copied: "Kopiert",
  sentTitle: "Einladung angelegt",
  sent: "Die Mail an {email} ist unterwegs.",
  sentText:
    "Der Dienst übergibt sie dem Mailserver und wiederholt das, bis der Link abläuft. Weist der Mailserver sie endgültig ab, steht das in der Liste.",
  until: "Link gilt bis",
  states: { open: "Offen", accepted: "Angenommen", revoked: "Widerrufen", expired: "Abgelaufen" },
  mailRejected: "Mail nicht zugestellt",
  mailText: "Der Mailserver hat die Mail abgewiesen, oder der Link lief ab, bevor er sie annahm.",
  revoke: "Widerrufen",
  revokeOne: "Einladung von {email} widerrufen",
  revokeTitle: "Einladung von {email} widerrufen?",
  revokeConfirm: "Einladung widerrufen",
  revokeText:
    "Ihr Link gilt sofort nicht mehr. Eine Mail, die noch wartet, wird nicht gesendet. Sie können die Adresse wieder einladen.",
  usedMeanwhile:
    "Die Einladung wurde inzwischen angenommen oder widerrufen. Schließen Sie diesen Dialog, um ihren Zustand zu sehen.",
};

/** The texts of the providers of sign-in in German. */
export const providers: typeof english.providers = {
  text: "Personen melden sich über einen Anbieter statt mit einem Passwort an: Google, GitHub oder jeder Anbieter von OpenID Connect.",
  new: "Neuer Anbieter",
  search: "Anbieter suchen",
  empty: "Noch kein Anbieter.",
  emptyText:
    "Registrieren Sie diesen Dienst zuerst beim Anbieter; er gibt Ihnen eine Client-ID und ein Client-Geheimnis.",
  enabled: "Eingeschaltet",
  disabled: "Ausgeschaltet",
  kind: "Art",
  kinds: { oidc: "OpenID Connect", google: "Google", github: "GitHub" },
  issuerFact: "{issuer}, Client {clientId}",
  anyDomain: "Adressen jeder Domain",
  domainsFact: "Nur Adressen von {domains}",
  linkedOnly: "Meldet Personen an, die ihn mit ihrem Konto verbunden haben",
  newAccounts: "Legt auch Konten an, mit einer Rolle",
  try: "Anmeldung testen",
  tryText:
    "Öffnet den Anbieter in einem neuen Tab. Ihre Sitzung bleibt. Es ist eine echte Anmeldung: Wer kein Konto hat, erhält eines, wenn der Anbieter eine Rolle für neue Konten hat.",
  enable: "Einschalten",
  enableTitle: "{name} einschalten?",
  enableText: "Die Anmeldeseite bietet ihn ab jetzt an.",
  disable: "Ausschalten",
  disableTitle: "{name} ausschalten?",
  disableText:
    "Die Anmeldeseite bietet ihn nicht mehr an. Offene Sitzungen bleiben; Personen ohne Passwort können sich erst wieder anmelden, wenn er eingeschaltet ist.",
  deleteTitle: "{name} löschen?",
  deleteText:
    "Niemand meldet sich mehr über ihn an, und sein Client-Geheimnis wird gelöscht. Konten behalten ihre Verbindung; sie gilt wieder, wenn Sie einen Anbieter mit demselben Aussteller anlegen.",
  gone: "Jemand anderes hat diesen Anbieter gelöscht.",
  editTitle: "{name} bearbeiten",
  changed:
    "Jemand anderes hat dies inzwischen geändert. Es ist jetzt: {name}, {issuer}, Client {clientId}. Ihre Eingaben bleiben; speichern Sie noch einmal, um es zu ersetzen.",
  fields: {
    key: "Schlüssel",
    name: "Name auf der Anmeldeseite",
    issuer: "Aussteller",
    clientId: "Client-ID",
    clientSecret: "Client-Geheimnis",
    allowedDomains: "Erlaubte Domains",
  },
  hints: {
    key: "Teil seiner Adressen, etwa google. Er lässt sich nicht ändern.",
    issuer: {
      oidc: "Die URL des Anbieters, etwa https://id.example.com.",
      google: "Leer: der von Google.",
      github: "Leer: github.com. Für GitHub Enterprise dessen URL.",
    },
    allowedDomains:
      "Domains der Adressen, die ein neues Konto erhalten dürfen, durch Kommas getrennt. Leer: jede.",
    secret: "Wird verschlüsselt gespeichert und nie angezeigt.",
    secretKept: "Leer: Das gespeicherte Geheimnis bleibt.",
    secretAgain:
      "Der Aussteller ändert sich: Geben Sie sein Client-Geheimnis ein. Das gespeicherte bleibt beim alten.",
    role: "Wer kein Konto hat, erhält eines mit dieser Rolle.",
    noRole: "Keine: Nur wer ihn mit seinem Konto verbunden hat, kann sich anmelden.",
  },
  faults: {
    key: "Verwenden Sie 1 bis 40 Kleinbuchstaben, Ziffern und Bindestriche.",
    name: "Verwenden Sie 1 bis 100 Zeichen.",
    issuer: "Geben Sie eine URL ein, die mit https:// beginnt.",
    clientId: "Verwenden Sie 1 bis 500 Zeichen.",
    clientSecret: "Geben Sie das Client-Geheimnis ein.",
    allowedDomains: "Geben Sie Domains ein, etwa example.com.",
    roleId: "Wählen Sie eine andere Rolle als die der Administratoren.",
  },
  keyTaken: "Ein anderer Anbieter hat diesen Schlüssel.",
  role: "Rolle neuer Konten",
  removeRole: "Keine Rolle: keine Konten anlegen",
  callback: "Registrieren Sie diese Adresse beim Anbieter:",
};

/** The texts of the tokens of everybody in German. */
export const tokens: typeof english.tokens = {
  text: "Programme verwenden Tokens statt einer Sitzung. Ein Dienstkonto ist ein Benutzer ohne Passwort.",
  new: "Neues Token",
  search: "Tokens und Besitzer suchen",
  empty: "Noch keine Tokens.",
  emptyText: "Mit einem Token arbeitet ein Programm im Namen einer Person oder eines Dienstkontos.",
  soonText:
    "Aktive Tokens, die in {count, plural, one {# Tag} other {# Tagen}} ablaufen; das ist die Einstellung api_keys.rotation_warning_days.",
  owner: "Besitzer",
  ownerHint: "Eine Person oder ein Dienstkonto, nach Name oder Adresse.",
  ownerFault: "Wählen Sie den Besitzer.",
  ownerInactive: "Besitzer inaktiv: abgewiesen",
  nameTaken: "Ein anderes Token dieses Besitzers hat diesen Namen.",
  planeFault: {
    api: "Der Besitzer ist inaktiv oder hat keine Rolle mit API-Zugriff. Geben Sie ihm zuerst eine Rolle.",
    admin: "Nur das Token eines aktiven Administrators darf verwalten.",
  },
  rights: "Ein Token darf, was die Rollen seines Besitzers erlauben, aber sein Konto nicht ändern.",
  editTitle: "{name} bearbeiten",
  changed:
    "Jemand anderes hat dies inzwischen geändert. Es ist jetzt: {name}, „{text}“. Ihre Eingaben bleiben; speichern Sie noch einmal, um es zu ersetzen.",
  use: "Entstanden durch",
  ofPrograms: "Zustimmung zu einem Programm",
  created: "Anlegen von Hand",
};
