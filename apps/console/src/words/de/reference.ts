import type { reference as english } from "../en/reference.ts";

/** The texts of the reference of the APIs in German. */
export const reference: typeof english = {
  title: "API",
  text: "Was jede Operation annimmt und zurückgibt, mit Anfragen, die zu Ihren Daten passen.",
  document: "Dokument",
  documents: {
    own: "Was Sie aufrufen dürfen",
    admin: "Admin-API",
    app: "App-API",
    role: "Daten-API der Rolle {name}",
  },
  find: "Operation suchen",
  makeToken: "Token anlegen",
  secretShown:
    "Das neue Token steht in den Anfragen unten, bis Sie diese Seite verlassen. Es wird nirgends gespeichert.",
  parameters: "Parameter",
  required: "erforderlich",
  body: "Inhalt",
  answer: "Antwort {status}",
  noBody: "Ohne JSON.",
  call: "MCP-Aufruf",
  copy: "{title} kopieren",
  copied: "Kopiert",
};
