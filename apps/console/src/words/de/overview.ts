import type { overview as english } from "../en/overview.ts";

/** The texts of the first page of the administration in German. */
export const overview: typeof english = {
  title: "Überblick",
  text: "Was Aufmerksamkeit braucht, mit der Seite, die es behebt.",
  count: "{count, number}",
  more: "{count, plural, one {und # weiteres} other {und # weitere}}",
  nothing: "Alles in Ordnung",
  nothingText:
    "Jede freigegebene Tabelle hat eine Berechtigung, kein Token läuft bald ab, keine Einstellung ist unsicher.",
  runs: "Läufe des letzten Tages",
  runCounts: "{all, plural, one {# Lauf} other {# Läufe}}, {failed, number} fehlgeschlagen",
  hour: "{hour}: {all, plural, one {# Lauf} other {# Läufe}}, {failed, number} fehlgeschlagen",
  unreached: {
    title: "Freigegeben, aber für niemanden",
    text: "Außer Administratoren hat keine Rolle eine wirksame Berechtigung an diesen Tabellen und Sichten.",
  },
  ineffective: {
    title: "Berechtigungen ohne Wirkung",
    text: "Eine Spalte, die die Berechtigung braucht, wurde gelöscht; sie gewährt daher nichts.",
  },
  expiring: {
    title: "Tokens, die bald ablaufen",
    text: "Erneuern Sie sie, bevor die Programme stehen bleiben, die sie verwenden.",
    detail: "{owner}, bis {day}",
  },
  unsafe: { title: "Unsichere Einstellungen", text: "Diese Werte sind für den Betrieb unsicher." },
  broken: {
    title: "Abläufe mit einem Problem",
    text: "Sie können erst wieder laufen, wenn es behoben ist.",
  },
  lostMails: {
    title: "Aufgegebene Mails",
    text: "Des letzten Tages: Der Mailserver hat sie abgelehnt, oder ihr Link ist vorher abgelaufen. Die Empfänger müssen eine neue anfordern.",
  },
  failed: { title: "Fehlgeschlagene Läufe", text: "Des letzten Tages, mit dem Code des Fehlers." },
};
