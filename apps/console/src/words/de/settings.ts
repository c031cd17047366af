import type { settings as english } from "../en/settings.ts";

/** The texts of the settings in German. */
export const settings: typeof english = {
  title: "Einstellungen",
  tabs: { settings: "Einstellungen", templates: "Vorlagen", sealed: "Versiegelte Werte" },
  valueOf: "Wert von {key}",
  find: "Einstellung suchen",
  default: "Vorgabe: {value}",
  empty: "leer",
  restore: "Vorgabe von {key} wiederherstellen",
  sessionOnly: "Nur mit einer Sitzung",
  changed: "Geändert",
  on: "An",
  off: "Aus",
  noneChosen: "Keine",
  onePerLine: "Eine in jeder Zeile",
  discard: "Verwerfen",
  changes: "{count, plural, one {# Änderung} other {# Änderungen}}, nicht gespeichert",
  leave: "Ihre Änderungen sind nicht gespeichert. Seite verlassen und sie verlieren?",
  groups: {
    auth: "Anmeldung und Konten",
    api_keys: "Tokens",
    workflows: "Abläufe",
    system: "Installation",
    security: "Sicherheit",
    data: "Daten-API",
    views: "Sichten",
    files: "Dateien",
    limits: "Grenzen",
    mcp: "Agenten",
    sql_console: "SQL-Konsole",
  },
  unsafe: {
    registrationUnverified:
      "Jeder kann sich mit einer fremden Adresse registrieren: auth.require_email_verification ist aus.",
    plainOrigin: "Ein Ursprung ohne TLS: andere können seine Seiten unterwegs ändern.",
    plainUrl: "Ohne TLS können die Links in Mails unterwegs gelesen und geändert werden.",
    everyProxy:
      "Jeder Aufrufer kann eine beliebige Adresse angeben, Grenzen nach Adresse gelten dann nicht.",
    sqlByToken: "Wer ein solches Token findet, kann beliebiges SQL ausführen.",
    longSession: "Eine gestohlene Sitzung bleibt monatelang gültig.",
  },
  trial: {
    title: "Ursprung ausprobieren",
    origin: "Ursprung einer Seite",
    hint: "Mit den Ursprüngen oben, auch vor dem Speichern.",
    allowed: "{origin} darf den Dienst aufrufen",
    refused: "{origin} darf den Dienst nicht aufrufen",
  },
  sealed: {
    title: "Versiegelte Werte",
    text: "Geheimnisse von Anbietern und Abläufen sind mit einem Geheimnis des Dienstes versiegelt. Erneuern Sie nach dessen Wechsel die Siegel; danach kann das alte entfallen.",
    reseal: "Siegel erneuern",
    current: "Mit dem aktuellen Geheimnis",
    other: "Mit einem älteren Geheimnis",
    unreadable: "Von keinem Geheimnis zu öffnen",
    done: "{count, plural, =0 {Kein Siegel wurde erneuert} one {# Siegel wurde erneuert} other {# Siegel wurden erneuert}}.",
    unreadableText:
      "Geben Sie diese Werte neu ein, oder starten Sie den Dienst mit dem Geheimnis, das sie versiegelt hat.",
    table: "Tabelle",
    id: "Id",
  },
};
