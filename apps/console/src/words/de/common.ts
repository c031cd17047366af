import type { common as english } from "../en/common.ts";

/** The texts of every page in German. */
export const common: typeof english = {
  choices: {
    language: "Sprache",
    theme: "Farben",
    system: "System",
    light: "Hell",
    dark: "Dunkel",
    density: "Zeilen",
    compact: "Kompakt",
    comfortable: "Bequem",
  },
  errors: {
    NETWORK_ERROR:
      "Der Dienst antwortet nicht. Prüfen Sie die Verbindung und versuchen Sie es erneut.",
    INVALID_CREDENTIALS: "E-Mail oder Passwort ist falsch.",
    EMAIL_NOT_VERIFIED:
      "Bestätigen Sie zuerst Ihre E-Mail-Adresse mit dem Link in der Mail, die Sie erhalten haben.",
    RATE_LIMIT_EXCEEDED:
      "Zu viele Versuche. Versuchen Sie es in {seconds, plural, one {# Sekunde} other {# Sekunden}} erneut.",
    SERVICE_UNAVAILABLE:
      "Der Dienst ist nicht erreichbar. Versuchen Sie es in einem Moment erneut.",
    QUERY_TIMEOUT: "Der Dienst hat zu lange gebraucht. Versuchen Sie es in einem Moment erneut.",
    ACTION_DENIED: "Das dürfen Sie nicht.",
    email: "Geben Sie eine E-Mail-Adresse ein, etwa name@example.com.",
    UNEXPECTED:
      "Im Dienst ist etwas fehlgeschlagen. Versuchen Sie es erneut; schlägt es wieder fehl, melden Sie die Uhrzeit.",
  },
  missing: {
    title: "Diese Seite gibt es nicht",
    text: "Prüfen Sie die Adresse, oder beginnen Sie in Ihrem Arbeitsbereich.",
    back: "Arbeitsbereich öffnen",
  },
  failure: {
    title: "Diese Seite lässt sich nicht anzeigen",
    text: "Laden Sie sie neu. Hilft das nicht, melden Sie Uhrzeit und Adresse Ihrer Administration.",
    reload: "Neu laden",
  },
};
