import type { values as english } from "../en/values.ts";

/** The texts about values of every type in German. */
export const values: typeof english = {
  none: "kein Wert",
  emptyText: "leerer Text",
  yes: "Ja",
  no: "Nein",
  rating: "{count} von {max}",
  infinity: "für immer",
  minusInfinity: "seit jeher",
  size: "Datei mit {size}",
  unreadable: "Nicht lesbar",
  fault: {
    required: "Ein Wert ist erforderlich.",
    integer: "Eine ganze Zahl eingeben, etwa 42.",
    number: "Eine Zahl eingeben, etwa {example}.",
    ambiguous: "Das kann {one} oder {other} sein. Bitte eines davon eingeben.",
    range: "Eine Zahl von {min} bis {max} eingeben.",
    boolean: "Ja oder Nein eingeben.",
    date: "Ein Datum eingeben, etwa 31.01.2025.",
    time: "Eine Uhrzeit eingeben, etwa 14:30.",
    timestamp: "Datum und Uhrzeit eingeben, etwa 31.01.2025 14:30.",
    skipped: "Die Uhren in {zone} überspringen diese Zeit.",
    enum: "Einen dieser Werte eingeben: {labels}.",
    uuid: "Eine UUID eingeben: 32 hexadezimale Ziffern.",
    bytes: "Base64 eingeben, oder hexadezimale Ziffern nach \\x.",
    json: "Das ist kein JSON: Zeile {line}, Spalte {column}.",
    list: 'Eine Liste eingeben, etwa ["a", "b"] oder a, b.',
    element: "Element {position}: {fault}",
    length: "Höchstens {max} Zeichen verwenden.",
  },
};
