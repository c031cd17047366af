import { z } from "zod";
import { field, stepKind } from "./field-meta.ts";
import { headerName, requestAuth } from "./request-auth.ts";
import {
  effectFields,
  namedValues,
  retryFields,
  retryMeta,
  slugForm,
  slugMessage,
  stepId,
  timeoutMeta,
} from "./step-fields.ts";

export const attachmentsMax = 10;

export const httpRequest = z
  .strictObject({
    id: stepId,
    kind: z.literal("httpRequest"),
    method: z
      .enum(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"])
      .default("GET")
      .meta(field("Method", "The method of the request.", "choice")),
    url: z
      .string()
      .min(1)
      .max(4000)
      .meta(
        field(
          "URL",
          "Values of templates are percent-encoded. A request with a secret must begin with https://host/ or with a secret.",
          "template",
        ),
      ),
    headers: z
      .record(headerName, z.string().max(8000))
      .default({})
      .meta(field("Headers", "The headers of the request, by name.", "headers")),
    query: namedValues
      .default({})
      .meta(field("Query", "The parameters that are added to the URL.", "query")),
    auth: requestAuth
      .optional()
      .meta(field("Authentication", "The credential that the request sends.", "auth")),
    body: z
      .unknown()
      .optional()
      .meta(field("Body", "The body of the request, in the encoding below.", "templateJson")),
    bodyKind: z
      .enum(["json", "form", "text"])
      .default("json")
      .meta(field("Encoding of the body", "JSON, a form (an object), or plain text.", "choice")),
    responseBytesMax: z
      .int()
      .min(1)
      .max(10_485_760)
      .default(1_048_576)
      .meta(
        field(
          "Largest response",
          "In bytes, after decompression. A larger response fails the step.",
          "number",
        ),
      ),
    responseAs: z
      .enum(["auto", "base64"])
      .default("auto")
      .meta(
        field(
          "Response as",
          "JSON or text by the type of the response, or its bytes in base64, which a later step can store as a file.",
          "choice",
        ),
      ),
    failOnStatus: z
      .boolean()
      .default(true)
      .meta(
        field(
          "Fail on an error status",
          "Whether a status of 400 or more fails the step.",
          "boolean",
        ),
      ),
    repeatable: z
      .boolean()
      .optional()
      .meta(
        field(
          "May be repeated",
          "Whether the request may be sent again if the outcome of an attempt is unknown. By default all methods but POST and PATCH.",
          "boolean",
        ),
      ),
    redirectsMax: z
      .int()
      .min(0)
      .max(10)
      .default(5)
      .meta(
        field(
          "Redirects",
          "How many redirects are followed; 0 returns the redirect itself.",
          "number",
        ),
      ),
    retry: z
      .strictObject({
        ...retryFields,
        statuses: z
          .array(z.int().min(300).max(599))
          .max(50)
          .default([408, 425, 429, 500, 502, 503, 504])
          .meta(field("Statuses", "Statuses of the response that are tried again.", "list")),
      })
      .optional()
      .meta(retryMeta),
    timeoutMs: z.int().min(100).max(120_000).default(30_000).meta(timeoutMeta),
  })
  .meta(
    stepKind(
      "outside",
      "Send a request",
      "Sends an HTTP request. The output is its status, headers and body.",
    ),
  );

export const sendEmail = z
  .strictObject({
    id: stepId,
    kind: z.literal("sendEmail"),
    to: z
      .union([z.string().min(1).max(500), z.array(z.string().min(1).max(500)).min(1).max(50)])
      .meta(
        field("To", "An address, or a list of addresses. Each gets a mail of its own.", "list"),
      ),
    subject: z
      .string()
      .min(1)
      .max(500)
      .meta(field("Subject", "The subject of the mail.", "template")),
    text: z
      .string()
      .max(100_000)
      .meta(field("Text", "The mail as plain text.", "templateText")),
    html: z
      .string()
      .max(200_000)
      .optional()
      .meta(field("HTML", "The mail as HTML, besides the plain text.", "templateText")),
    attachments: z
      .union([z.string().min(1).max(500), z.array(z.string().min(1).max(500)).max(attachmentsMax)])
      .optional()
      .meta(
        field(
          "Attachments",
          "Ids of files, or a template that yields one or a list of them.",
          "list",
        ),
      ),
    ...effectFields,
  })
  .meta(stepKind("outside", "Send a mail", "Adds one mail for each recipient to the outbox."));

export const runWorkflow = z
  .strictObject({
    id: stepId,
    kind: z.literal("runWorkflow"),
    workflow: z
      .string()
      .regex(slugForm, slugMessage)
      .meta(field("Workflow", "The slug of the other workflow.", "workflow")),
    input: z
      .unknown()
      .optional()
      .meta(field("Input", "The start.data of the other run.", "templateJson")),
    wait: z
      .boolean()
      .default(true)
      .meta(
        field(
          "Wait for its end",
          "Whether this run waits for the end of the other run.",
          "boolean",
        ),
      ),
    retry: effectFields.retry,
    timeoutMs: z.int().min(1000).max(2_592_000_000).optional().meta(timeoutMeta),
  })
  .meta(
    stepKind(
      "outside",
      "Run another workflow",
      "Runs the published version of another workflow as the same user. The output is the result of that run.",
    ),
  );
