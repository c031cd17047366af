import { valueKindOf } from "../values/value-kind.ts";
import { BytesEditor } from "./bytes-editor.tsx";
import { ChoiceEditor } from "./choice-editor.tsx";
import type { EditorProps } from "./editor-props.ts";
import { JsonEditor } from "./json-editor.tsx";
import { TextEditor } from "./text-editor.tsx";
import { TimeEditor } from "./time-editor.tsx";

/** The editor of one value that is no list and no range. */
export function ScalarEditor(props: EditorProps) {
  switch (valueKindOf(props.column)) {
    case "ENUM":
    case "BOOLEAN":
      return <ChoiceEditor {...props} />;
    case "DATE":
    case "TIME":
    case "TIMESTAMP":
    case "INSTANT":
      return <TimeEditor {...props} />;
    case "JSON":
      return <JsonEditor {...props} />;
    case "BYTES":
      return <BytesEditor {...props} />;
    default:
      return typeof props.value === "object" && props.value !== null && isDocument(props.value) ? (
        <JsonEditor {...props} />
      ) : (
        <TextEditor {...props} />
      );
  }
}

/** Whether a value is a composite one or a map, which JSON shows best. */
function isDocument(value: object): boolean {
  return Object.getPrototypeOf(value) === Object.prototype;
}
