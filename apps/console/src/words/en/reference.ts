/** The texts of the reference of the APIs in English. */
export const reference = {
  title: "API",
  text: "What every operation takes and returns, with requests that fit your data.",
  document: "Document",
  documents: {
    own: "What you may call",
    admin: "Admin API",
    app: "App API",
    role: "Data API of the role {name}",
  },
  find: "Find an operation",
  makeToken: "Make a token",
  secretShown:
    "The new token stands in the requests below until you leave this page. It is stored nowhere.",
  parameters: "Parameters",
  required: "required",
  body: "Body",
  answer: "Response {status}",
  noBody: "Without a JSON body.",
  call: "MCP call",
  copy: "Copy {title}",
  copied: "Copied",
};
