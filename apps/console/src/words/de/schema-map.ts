import type { schemaMap as english } from "../en/schema-map.ts";

/** The texts of the map of tables in German. */
export const schemaMap: typeof english = {
  title: "Übersichtskarte",
  text: "Tabellen und die Fremdschlüssel zwischen ihnen. Ein Pfeil führt zu der Tabelle, auf die ein Schlüssel verweist.",
  map: "Karte der Tabellen",
  shownAs: "Zeigen als",
  drawing: "Zeichnung",
  list: "Liste",
  allSchemas: "Alle Schemas",
  counts:
    "{tables, plural, one {# Tabelle} other {# Tabellen}}, {keys, plural, one {# Fremdschlüssel} other {# Fremdschlüssel}}",
  save: "Als SVG speichern",
  empty: "Hier gibt es keine Tabelle.",
  emptyText: "Wählen Sie ein anderes Schema, oder legen Sie eine Tabelle an.",
  refersTo: "Verweist auf",
  referredToBy: "Verwiesen von",
  tools: "Größe und Ausschnitt der Zeichnung",
  zoomIn: "Vergrößern",
  zoomOut: "Verkleinern",
  fit: "Ganze Karte zeigen",
  left: "Nach links",
  right: "Nach rechts",
  up: "Nach oben",
  down: "Nach unten",
  keys: "Pfeiltasten führen von Tabelle zu Tabelle, die Eingabetaste öffnet sie, + und − ändern die Größe, 0 zeigt alles.",
  tableLabel:
    "{name}, {to, plural, =0 {kein Fremdschlüssel} one {# Fremdschlüssel} other {# Fremdschlüssel}}, {from, plural, =0 {kein Schlüssel verweist darauf} one {# Schlüssel verweist darauf} other {# Schlüssel verweisen darauf}}",
};
