// The reference page: it asks for a credential, keeps it in this page's memory alone, and shows the document that the
// credential may read. Addresses are relative, so that the page works behind any path.

const element = (id) => document.getElementById(id);
const form = element("enter");
const choice = element("document");
let credential;

const ask = async (address, options = {}) => {
  const answer = await fetch(address, {
    ...options,
    headers: { ...options.headers, ...(credential && { Authorization: `Bearer ${credential}` }) },
  });
  const body = await answer.json();
  if (!answer.ok) throw new Error(body.errors[0].message);
  return body;
};

const signIn = async () => {
  const [email, password, token] = ["email", "password", "token"].map((id) => element(id).value);
  if (token !== "") return token;
  // Signed in already, and nothing was typed since.
  if (email === "" && password === "") return credential;
  credential = undefined;
  const answer = await ask("../../api/auth/login", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ email, password }),
  });
  return answer.data.token;
};

const listRoles = async () => {
  if (choice.querySelector("optgroup") !== null) return;
  const roles = await ask("roles?limit=1000").catch(() => ({ data: [] }));
  const group = Object.assign(document.createElement("optgroup"), { label: "Data API as" });
  for (const { id, name } of roles.data) {
    group.append(new Option(name, `openapi/data?role=${encodeURIComponent(id)}`));
  }
  if (group.childElementCount > 0) choice.append(group);
};

const show = (spec) => {
  const ui = window.SwaggerUIBundle({
    spec,
    dom_id: "#reference",
    validatorUrl: null,
    docExpansion: "none",
    filter: true,
    onComplete: () => {
      for (const scheme of Object.keys(spec.components.securitySchemes)) {
        ui.preauthorizeApiKey(scheme, credential);
      }
    },
  });
};

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  element("message").value = "";
  try {
    credential = await signIn();
    element("password").value = "";
    show(await ask(choice.value));
    await listRoles();
  } catch (error) {
    element("message").value = error.message;
  }
});
