export {
  type ExactNumber,
  exactNumberText,
  isExactNumber,
  parseExactJson,
  writeExactJson,
} from "./exact-json.ts";
export { type JsonScan, scanJson } from "./scan-json.ts";
export { isStorableText, prototypeKeys, toStorableText } from "./storable.ts";
