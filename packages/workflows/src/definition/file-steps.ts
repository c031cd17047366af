import { z } from "zod";
import { field, stepKind } from "./field-meta.ts";
import { effectFields, namedValues, stepId } from "./step-fields.ts";

/** The row of a file that a step creates. */
const newFile = {
  name: z
    .string()
    .min(1)
    .max(1000)
    .meta(field("File name", "The name of the new file, with its extension.", "template")),
  title: z
    .string()
    .max(1000)
    .optional()
    .meta(field("Title", "The title of the file.", "template")),
  description: z
    .string()
    .max(10_000)
    .optional()
    .meta(field("Description", "The description of the file.", "templateText")),
  folderId: z
    .string()
    .max(500)
    .nullable()
    .optional()
    .meta(field("Folder", "The folder of the file; by default none.", "folder")),
  visibility: z
    .enum(["PRIVATE", "PUBLIC"])
    .optional()
    .meta(field("Visibility", "A public file can be read without a sign-in.", "choice")),
};

export const renderDocument = z
  .strictObject({
    id: stepId,
    kind: z.literal("renderDocument"),
    // A literal: a value must not choose what is rendered.
    template: z
      .string()
      .regex(/^[a-z0-9]+(?:[._-][a-z0-9]+)*$/, "The key of a template of a document")
      .meta(field("Template", "The key of the document's template.", "document")),
    language: z
      .string()
      .min(1)
      .max(500)
      .optional()
      .meta(field("Language", "Selects the template by language; otherwise English.", "template")),
    data: namedValues
      .default({})
      .meta(field("Data", "The values that the template can show, by name.", "values")),
    pdf: z
      .boolean()
      .default(false)
      .meta(field("As PDF", "Whether the HTML of the template becomes a PDF file.", "boolean")),
    ...newFile,
    ...effectFields,
  })
  .meta(
    stepKind(
      "files",
      "Make a document",
      "Makes a file of a template and values. The output is the row of the file.",
    ),
  );

export const readFile = z
  .strictObject({
    id: stepId,
    kind: z.literal("readFile"),
    file: z
      .string()
      .min(1)
      .max(500)
      .meta(field("File", "The id of the file.", "template")),
    as: z
      .enum(["text", "json", "base64"])
      .default("text")
      .meta(field("Read as", "How the content is returned.", "choice")),
    bytesMax: z
      .int()
      .min(1)
      .max(3_000_000)
      .default(1_048_576)
      .meta(field("Largest file", "In bytes. A larger file fails the step.", "number")),
    ...effectFields,
  })
  .meta(
    stepKind(
      "files",
      "Read a file",
      "Reads a file. The output is its name, type, size and content.",
    ),
  );

export const storeFile = z
  .strictObject({
    id: stepId,
    kind: z.literal("storeFile"),
    ...newFile,
    content: z.string().meta(field("Content", "The content of the file.", "templateText")),
    encoding: z
      .enum(["text", "base64"])
      .default("text")
      .meta(field("Encoding", "Whether the content is text or base64.", "choice")),
    mediaType: z
      .string()
      .max(200)
      .optional()
      .meta(
        field(
          "Type",
          "The type that the sender names; the type of the file is found in its bytes.",
          "text",
        ),
      ),
    ...effectFields,
  })
  .meta(stepKind("files", "Store a file", "Stores a new file. The output is the row of the file."));
