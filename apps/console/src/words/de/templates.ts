import type { templates as english } from "../en/templates.ts";

/** The texts of the mail templates in German. */
export const templates: typeof english = {
  title: "Mailvorlagen",
  text: "Die Mails, die der Dienst zu Konten verschickt. Wer sie liest, bekommt den Text in der eigenen Sprache, sonst auf Englisch.",
  mail: "Mail",
  language: "Sprache",
  state: "Fassung",
  changedAt: "Letzte Änderung",
  shipped: "Wie ausgeliefert",
  changed: "Geändert",
  own: "Hinzugefügt",
  mails: {
    reset: "Neues Passwort",
    registered: "Schon registriert",
    verify: "Adresse bestätigen",
    invite: "Einladung",
    email_change: "Neue Adresse bestätigen",
    email_changed: "Adresse geändert",
    email_taken: "Adresse vergeben",
    new_administrator: "Neuer Administrator",
  },
  occasions: {
    reset: "Geht an eine Person, die ein neues Passwort anfordert.",
    registered:
      "Wird verschickt, wenn eine Adresse, die schon ein Konto hat, neu registriert wird.",
    verify:
      "Wird nach einer Registrierung verschickt, damit die Person die Adresse als ihre eigene bestätigt.",
    invite: "Geht an eine Person, die ein Administrator einlädt.",
    email_change: "Geht an die neue Adresse, wenn eine Person ihre Adresse ändert.",
    email_changed: "Geht nach der Änderung an die alte Adresse.",
    email_taken: "Wird verschickt, wenn eine Person eine Adresse wählt, die schon ein Konto hat.",
    new_administrator: "Geht an alle Administratoren, wenn ein Konto zu einem von ihnen wird.",
  },
  add: "Sprache hinzufügen",
  tag: "Sprachkürzel",
  tagHint: "Zum Beispiel fr oder pt-BR",
  addText: "Sie beginnen mit dem englischen Text.",
  parts: { subject: "Betreff", text: "Text", html: "HTML" },
  withHtml: "Auch als HTML",
  noHtml: "Kein HTML",
  htmlSource: "HTML als Quelltext",
  variables: "Variablen",
  variablesText:
    "Ein Knopf fügt die Variable dort ein, wo Sie zuletzt geschrieben haben. Die Vorschau zeigt den Wert daneben.",
  insert: "{name} einfügen",
  valueOf: "Wert von {name} in der Vorschau",
  preview: "Vorschau",
  previewText:
    "So kommt die Mail an. Der Link ist ein Beispiel und führt nirgends hin. Das HTML sehen Sie in einer Testmail.",
  refused: "Die Teile haben Fehler; dies ist die Mail davor.",
  testMail: "Testmail an mich senden",
  delivered: "Gesendet an {to}. Antwort des Mailservers: {response}",
  restore: "Ausgelieferten Text wiederherstellen",
  discard: "Verwerfen",
  unsaved: "Nicht gespeichert",
  leave: "Ihre Änderungen sind nicht gespeichert. Seite verlassen und sie verlieren?",
  mergedMeanwhile:
    "Ein anderer Administrator hat diese Mail inzwischen gespeichert, in anderen Teilen als Sie. Unten stehen beide Änderungen; speichern Sie noch einmal, um sie zu behalten.",
  changedMeanwhile:
    "Ein anderer Administrator hat diese Mail inzwischen gespeichert. Noch ist nichts überschrieben: Vergleichen Sie dessen Text mit Ihrem, und speichern Sie dann noch einmal.",
  theirs: "Der andere Text: {part}",
  deleteTitle: "{name} in dieser Sprache löschen?",
  deleteText: "Danach bekommen ihre Leser die Mail auf Englisch.",
};
