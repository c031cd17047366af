import type { fromFile as english } from "../en/from-file.ts";

/** The texts of a table from a CSV file in German. */
export const fromFile: typeof english = {
  title: "Mit einer CSV-Datei beginnen (freiwillig)",
  another: "Eine andere Datei oder die berichtigte",
  hint: "In UTF-8, mit den Namen der Spalten in der ersten Zeile. Die ganze Datei wird in diesem Browser gelesen; gesendet wird noch nichts.",
  reading: "Bisher gelesene Zeilen: {rows}",
  noNames: "Die Datei ist leer: Ihre erste Zeile nennt keine Spalte.",
  found:
    "{name}: {rows} Zeilen. Jeder Wert passt zum Typ seiner Spalte; ändern Sie, was Sie besser wissen.",
  unique: "Jeder Wert kommt nur einmal vor in: {names}.",
  noneUnique: "In keiner Spalte kommt jeder Wert nur einmal vor.",
  choices:
    "Spalten mit wenigen Werten haben eine Prüfung, die sie aufzählt. Entfernen Sie sie, wo andere folgen können.",
  createTitle: "{name} mit den Zeilen der Datei anlegen?",
  createText:
    "Zuerst wird die Tabelle angelegt, dann werden ihre Zeilen importiert ({rows}), alle oder keine. Lehnt der Dienst die Zeilen ab, besteht die Tabelle und ist leer; Sie entscheiden dann, was aus ihr wird.",
  create: "Anlegen und importieren",
  expose: "Die Tabelle in der Daten-API anbieten",
  exposeText: "Dort lesen und ändern Rollen ihre Zeilen, denen Sie eine Berechtigung geben.",
  hideText: "Sie nimmt neue Zeilen nur während des Imports an und ist danach wieder verborgen.",
  createdTitle: "{name} ist angelegt",
  created: "Importierte Zeilen: {rows}.",
  open: "Tabelle öffnen",
  emptyTitle: "{name} ist angelegt und leer",
  canceled: "Sie haben den Import abgebrochen.",
  emptyText:
    "Wählen Sie die berichtigte Datei, um ihre Zeilen in diese Tabelle zu importieren, oder löschen Sie die Tabelle, um den Entwurf zu ändern.",
  again: "Die berichtigte Datei",
  againHint: "Mit denselben Namen in der ersten Zeile. Der Import beginnt sofort.",
  keep: "Leere Tabelle behalten",
  drop: "Löschen und Entwurf ändern",
};
