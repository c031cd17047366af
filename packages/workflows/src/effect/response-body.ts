import { RunFault } from "../base/run-fault.ts";
import { parseOutsideJson } from "./stored-text.ts";

/** How a step returns a body: JSON or text by its content type, or its bytes. */
export type ResponseForm = "auto" | "base64";

const jsonType = /^application\/(?:[\w.+-]+\+)?json\b/i;
const charsetParameter = /;[ \t]*charset=[ \t]*"?([^\s;"]{1,40})/i;

/**
 * Returns the body of a response as a step's output. JSON is parsed; a text is decoded by the charset that the
 * response declares, otherwise as UTF-8. The body of an error is the text if it is not what its type declares: a
 * proxy's page must not hide the status.
 *
 * @throws RunFault HTTP_BODY_INVALID for an unknown charset, and for JSON that is invalid or nested too deep, unless
 * the status is an error
 */
export function responseBody(
  bytes: Uint8Array,
  contentType: string,
  status: number,
  form: ResponseForm,
): unknown {
  if (form === "base64") return Buffer.from(bytes).toString("base64");
  const isError = status >= 400;
  const text = decode(bytes, contentType, isError);
  if (!jsonType.test(contentType)) return text;
  if (text.trim() === "") return null;
  try {
    return parseOutsideJson(text, "HTTP_BODY_INVALID", "The response body");
  } catch (error) {
    if (isError) return text;
    throw error;
  }
}

function decode(bytes: Uint8Array, contentType: string, isError: boolean): string {
  const charset = charsetParameter.exec(contentType)?.[1] ?? "utf-8";
  try {
    const decoder = new TextDecoder(charset);
    return decoder.encoding === "windows-1252" ? decodeWestern(bytes) : decoder.decode(bytes);
  } catch (error) {
    if (isError) return new TextDecoder().decode(bytes);
    const message = `The response declares the charset "${charset}", which is not supported`;
    throw new RunFault("HTTP_BODY_INVALID", message, error);
  }
}

/** The characters of the bytes 0x80 to 0x9f in windows-1252, which is also meant by ISO-8859-1 and ASCII. */
const western = "€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ";

/** Some versions of Node.js decode windows-1252 as Latin-1. */
function decodeWestern(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString("latin1")
    .replace(/[\x80-\x9f]/g, (letter) => western.charAt(letter.charCodeAt(0) - 0x80));
}
