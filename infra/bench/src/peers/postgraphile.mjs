// PostGraphile 4: GraphQL on the same table, without credentials and permissions.
import { join } from "node:path";
import { untilAnswers } from "../processes.mjs";
import { rowCount } from "../world.mjs";
import { install, startPeer } from "./install.mjs";

export const title = "PostGraphile 4";

export async function startPostgraphile(databaseUrl) {
  const modules = await install("postgraphile", ["postgraphile@4"]);
  const { url, pid } = await startPeer(process.execPath, (port) => ({
    args: [
      join(modules, "postgraphile/cli.js"),
      ...["--connection", databaseUrl, "--schema", "bench", "--host", "127.0.0.1", "--port", port],
      ...["--disable-query-log", "--disable-graphiql", "--no-setof-functions-contain-nulls"],
      ...["--dynamic-json", "--max-pool-size", "10"],
    ],
    environment: {},
  }));
  await untilAnswers(`${url}/graphql`, graphql("{ __typename }"));
  return { name: title, url, pid, shapes };
}

const headers = { "Content-Type": "application/json" };
const columns = "id owner title code quantity price tags createdAt";
const graphql = (query, variables) => ({
  method: "POST",
  path: "/graphql",
  headers,
  body: JSON.stringify({ query, variables }),
});
// Keyset pages have an opaque cursor, which the load takes from a list.
const cursors = Array.from({ length: 10_000 }, (_, index) =>
  Buffer.from(JSON.stringify(["primary_key_asc", [index * 9 + 1]])).toString("base64"),
);
const list = (fields) => ({
  ...graphql(
    `query ($after: Cursor) { allItems(first: 25, after: $after, orderBy: PRIMARY_KEY_ASC) { nodes { ${fields} } } }`,
    { after: "#" },
  ),
  values: cursors,
});

const shapes = {
  "one row by key": {
    ...graphql(`query ($id: BigInt!) { itemById(id: $id) { ${columns} } }`, { id: "#" }),
    idMax: rowCount,
  },
  "list of 25": list(columns),
  "25 with a related row": list("id title price makerByMakerId { name country }"),
  insert: {
    ...graphql(
      `mutation ($item: ItemInput!) { createItem(input: { item: $item }) { item { ${columns} } } }`,
      {
        item: {
          owner: "clerk@example.com",
          title: "New item #",
          code: "N-#",
          quantity: 3,
          price: "12.50",
        },
      },
    ),
    idMax: rowCount,
  },
};
