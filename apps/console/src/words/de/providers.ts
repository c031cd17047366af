import type { providers as english } from "../en/providers.ts";

/** The texts of the providers of sign-in in German. */
export const providers: typeof english = {
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
  try: "Anmeldung probieren",
  tryText:
    "Öffnet den Anbieter in einem neuen Tab. Ihre Sitzung bleibt. Es ist eine echte Anmeldung: wer kein Konto hat, erhält eines, wenn der Anbieter eine Rolle für neue Konten hat.",
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
      "Domains der Adressen, die ein neues Konto erhalten dürfen, mit Kommas. Leer: jede.",
    secret: "Wird verschlüsselt gespeichert und nie angezeigt.",
    secretKept: "Leer: das gespeicherte Geheimnis bleibt.",
    role: "Wer kein Konto hat, erhält eines mit dieser Rolle.",
    noRole: "Keine: nur wer ihn mit seinem Konto verbunden hat, kann sich anmelden.",
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
