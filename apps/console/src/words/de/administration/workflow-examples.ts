import type * as english from "../../en/administration/workflow-examples.ts";

/** The titles and sentences of the examples of workflows in German. */
export const workflowExamples: typeof english.workflowExamples = {
  messageCustomers: {
    title: "Allen Kunden schreiben",
    text: "Schickt jedem Kunden eine Mail mit dem, was über ihn vermerkt ist.",
  },
  solarFlares: {
    title: "Wöchentlich über Sonneneruptionen berichten",
    text: "Fragt die NASA nach Sonneneruptionen und meldet die starken und die übrigen getrennt.",
  },
  weeklySales: {
    title: "Die Umsätze der Woche bekannt geben",
    text: "Speichert die Bestellungen eines Lagers als Zeilen und gibt die Summe der gebuchten bekannt.",
  },
  regionFiles: {
    title: "Für jede Bestellung einer Region eine Datei erstellen",
    text: "Schreibt die Bestellungen einer Region in Dateien und schickt sie dem Vertrieb.",
  },
  wrongOrder: {
    title: "Bei einer falschen Bestellung abbrechen und Fehler melden",
    text: "Weist eine Bestellung ohne Preis ab, leitet die anderen weiter und schreibt dem Team, wenn das fehlschlägt.",
  },
  cities: {
    title: "Mehrere Städte zugleich nachschlagen",
    text: "Fragt einen Kartendienst nach jeder Stadt einer Liste, drei zugleich; ein Fehler hält die anderen nicht auf.",
  },
  chatCommand: {
    title: "Einen Befehl aus einem Chat ausführen",
    text: "Schickt je nach Befehl eine Mail oder legt ein Ticket an und antwortet dem Chat.",
  },
  retryPayment: {
    title: "Eine Zahlung wiederholen",
    text: "Bucht eine Zahlung ab, wiederholt das nach einem Fehler und vermerkt den Ausgang in ihrer Zeile.",
  },
  addContact: {
    title: "Einen Kontakt auch ohne Angaben anlegen",
    text: "Sucht die Angaben zu einer Adresse und legt den Kontakt auch an, wenn die Suche fehlschlägt.",
  },
  newMentions: {
    title: "Neue Erwähnungen veröffentlichen",
    text: "Sucht alle 15 Minuten nach Neuigkeiten und veröffentlicht nur die, die noch nicht bekannt sind.",
  },
};
