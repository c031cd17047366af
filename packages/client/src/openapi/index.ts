export {
  type Document,
  type OperationObject,
  type Parameter,
  parametersIn,
  referenceName,
  type Schema,
} from "./document.ts";
export {
  docComment,
  indentLines,
  memberName,
  memberText,
  objectType,
  schemaType,
} from "./schema-type.ts";
