/** The words of a name in lower case: `ShipRegion` and `ship_region` are `ship` and `region`, `Straße` is `strasse`. */
export function wordsIn(name: string): readonly string[] {
  const separated =
    name === name.toUpperCase() ? name : name.replaceAll(/(?<=[\p{Ll}\d])(?=\p{Lu})/gu, " ");
  return separated
    .toLowerCase()
    .replaceAll(/[äöüß]/g, (letter) => spelled[letter] ?? letter)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}

const spelled: Readonly<Record<string, string>> = { ä: "ae", ö: "oe", ü: "ue", ß: "ss" };

/** A name without what separates its words. */
export function plainName(name: string): string {
  return wordsIn(name).join("");
}

/** Names of a person's given name, as `plainName` returns them; a prefix of the table can stand before them. */
export const givenNames: readonly string[] = [
  ...["firstname", "givenname", "forename", "vorname", "rufname", "fname", "given", "first"],
];

/** Names of a person's family name. */
export const familyNames: readonly string[] = [
  ...["lastname", "familyname", "surname", "nachname", "familienname", "zuname", "lname"],
  ...["family", "last"],
];

/** Names of a name, the usual ones first. */
export const nameWords: readonly string[] = [
  ...["name", "title", "label", "displayname", "fullname", "titel", "bezeichnung", "benennung"],
  ...["subject", "betreff", "headline", "caption", "company", "companyname", "firma", "firmenname"],
  ...["organization", "organisation"],
];

/** Names of a text that describes a thing, and is its name only where the table's own name stands before it. */
export const descriptionWords: readonly string[] = [
  ...["description", "beschreibung", "desc", "text"],
];

/** Names of a short key that people know beside the name: `CONS Consultation`. */
export const codeWords: readonly string[] = [
  ...["code", "abbreviation", "abbr", "symbol", "sku", "number", "nummer", "nr", "no"],
  ...["kuerzel", "kennung", "kurzzeichen"],
];

/** Words of names whose values do not name a row. */
const weakWords: ReadonlySet<string> = new Set([
  // Addresses.
  ...["address", "adresse", "anschrift", "addr", "street", "strasse", "str", "house", "hausnummer"],
  ...["city", "town", "stadt", "ort", "wohnort", "zip", "postal", "postcode", "zipcode"],
  ...["postalcode", "plz", "postleitzahl", "country", "land", "region", "state", "province"],
  ...["county", "bundesland", "district", "phone", "telephone", "telefon", "telefonnummer", "tel"],
  ...["mobile", "mobil", "handy", "cell", "fax", "email", "mail", "emailaddress"],
  ...["website", "homepage", "url", "uri", "link", "ip"],
  // Units, kinds and states.
  ...["unit", "units", "einheit", "mengeneinheit", "measure", "currency", "waehrung", "kg"],
  ...["status", "zustand", "kind", "type", "typ", "art", "class", "gender", "sex", "geschlecht"],
  ...["level", "priority", "prioritaet", "stage", "phase", "mode", "color", "colour", "farbe"],
  ...["language", "sprache", "locale", "timezone", "size", "groesse", "rating"],
  // Parts of names, and texts about a row.
  ...["salutation", "anrede", "prefix", "suffix", "initials", "courtesy"],
  ...["note", "notes", "notiz", "notizen", "comment", "comments", "kommentar", "remark"],
  ...["remarks", "bemerkung", "bemerkungen", "description", "beschreibung", "desc", "body"],
  // Secrets, paths and numbers of accounts.
  ...["password", "passwort", "passwd", "hash", "token", "secret", "iban", "bic", "path", "pfad"],
  ...["photo", "picture", "image", "bild"],
]);

/** Words before the parts of another address: the name among them names no row. */
const addressees: ReadonlySet<string> = new Set([
  ...["ship", "shipping", "delivery", "bill", "billing", "liefer", "rechnungs"],
]);

/** Whether the values of a column are an address, a unit, a state or a remark, unless its table is about these. */
export function isWeakName(column: string, table: string): boolean {
  const own = plainName(table);
  const words = wordsIn(column).filter((word) => word.length < 3 || !own.includes(word));
  return (
    words.some((word) => weakWords.has(word.replace(/\d+$/, ""))) ||
    (words.length > 1 && addressees.has(words[0] ?? "")) ||
    weakWords.has(words.join(""))
  );
}

/** Words of the columns that programs keep: who wrote a row, and when. */
const bookkeeping: ReadonlySet<string> = new Set([
  ...["created", "updated", "modified", "changed", "inserted", "deleted", "recorded", "synced"],
  ...["erstellt", "angelegt", "geaendert", "aktualisiert", "geloescht", "update", "change"],
]);

/** Whether a column says who wrote a row, or when. */
export function isBookkeeping(column: string): boolean {
  return wordsIn(column).some((word) => bookkeeping.has(word));
}
