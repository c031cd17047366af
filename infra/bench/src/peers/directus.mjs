// Directus 12.4.0: REST on the same table, with a static token and a role.
//
// Without a license key, Directus 12 rejects permissions with a field list, a row filter or a check. So the role may read and
// create all fields of all rows.
import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { untilAnswers } from "../processes.mjs";
import { rowCount } from "../world.mjs";
import { install, runOnce, startPeer } from "./install.mjs";

export const title = "Directus 12.4.0";
const nodeMajor = 22;

export async function startDirectus(databaseUrl) {
  const node = await findNode();
  // Without scripts: that of isolated-vm compiles for minutes, for the headers of the Node that is installed on the machine.
  const modules = await install("directus", ["directus@12.4.0"], {
    node,
    flags: ["--ignore-scripts"],
  });
  // The sandbox of flows and extensions, which no measured request uses.
  await writeFile(join(modules, "isolated-vm/isolated-vm.js"), "module.exports = {};\n");
  const folder = dirname(modules);
  const administrator = randomBytes(24).toString("hex");
  const environment = {
    DB_CLIENT: "pg",
    DB_CONNECTION_STRING: databaseUrl,
    // Its own tables lie beside the table that it serves; it takes one schema.
    DB_SEARCH_PATH: "array:bench",
    SECRET: randomBytes(24).toString("hex"),
    ADMIN_EMAIL: "admin@example.com",
    ADMIN_PASSWORD: randomBytes(24).toString("hex"),
    ADMIN_TOKEN: administrator,
    HOST: "127.0.0.1",
    LOG_LEVEL: "error",
    TELEMETRY: "false",
    SERVE_APP: "false",
  };
  const cli = join(modules, "directus/cli.js");
  await runOnce(node, [cli, "bootstrap"], environment, folder);
  const { url, pid } = await startPeer(
    node,
    (port) => ({ args: [cli, "start"], environment: { ...environment, PORT: port } }),
    folder,
  );
  await untilAnswers(`${url}/server/ping`);
  return { name: title, url, pid, shapes: shapesOf(await createReader(url, administrator)) };
}

/** Returns this Node, or installs one that Directus supports. */
async function findNode() {
  if (Number(process.versions.node.split(".")[0]) >= nodeMajor) return process.execPath;
  return join(await install("node", [`node@${nodeMajor}`]), "node/bin/node");
}

/** Creates a user with a role and a policy; returns the user's token. */
async function createReader(url, administrator) {
  const call = async (method, path, body) => {
    const answer = await fetch(url + path, {
      method,
      headers: { Authorization: `Bearer ${administrator}`, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return JSON.parse(text).data;
  };
  // The service records no history of this table either.
  for (const collection of ["items", "makers"]) {
    await call("PATCH", `/collections/${collection}`, { meta: { accountability: null } });
  }
  const permission = (collection, action) => ({ collection, action, fields: ["*"] });
  const policy = await call("POST", "/policies", {
    name: "Clerks",
    admin_access: false,
    app_access: false,
    permissions: [
      permission("items", "read"),
      permission("makers", "read"),
      permission("items", "create"),
    ],
  });
  const role = await call("POST", "/roles", {
    name: "Clerks",
    policies: [{ policy: policy.id }],
  });
  const token = randomBytes(24).toString("hex");
  await call("POST", "/users", { email: "clerk@example.com", role: role.id, token });
  return token;
}

function shapesOf(token) {
  const headers = { Authorization: `Bearer ${token}` };
  const columns = "id,owner,title,code,quantity,price,tags,created_at";
  const page = "limit=25&sort=id&filter[id][_gt]=#";
  const item = {
    owner: "clerk@example.com",
    title: "New item #",
    code: "N-#",
    quantity: 3,
    price: "12.50",
  };
  return {
    "one row by key": {
      method: "GET",
      path: `/items/items/#?fields=${columns}`,
      headers,
      idMax: rowCount,
    },
    "list of 25": {
      method: "GET",
      path: `/items/items?${page}&fields=${columns}`,
      headers,
      idMax: rowCount - 25,
    },
    "25 with a related row": {
      method: "GET",
      path: `/items/items?${page}&fields=id,title,price,maker_id.name,maker_id.country`,
      headers,
      idMax: rowCount - 25,
    },
    insert: {
      method: "POST",
      path: `/items/items?fields=${columns}`,
      headers: { ...headers, "Content-Type": "application/json" },
      body: JSON.stringify(item),
      idMax: rowCount,
    },
  };
}
