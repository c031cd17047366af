// What each role may read and write, as the two handwritten handlers know it. The service has the same grants.
const orderColumns = {
  id: "o.id::text as id",
  owner: "o.owner",
  team: "o.team",
  number: "o.number",
  status: "o.status",
  quantity: "o.quantity",
  price: "o.price::text as price",
  maker_id: "o.maker_id",
  created_at: "o.created_at",
};
const { owner: _owner, ...withoutOwner } = orderColumns;

/** The rights of a handler that checks nothing. */
export const noChecks = {
  columns: orderColumns,
  may: "true",
  mayItem: "true",
  mayWriteAs: () => "true",
};

const countries = Array.from({ length: 10 }, (_, number) => `'Country ${number}'`).join(", ");

/**
 * Returns the rights of each group, by the name of its first role.
 *
 * @param my returns SQL for a column of the caller's row
 */
export function rightsOfRoles(my) {
  const mayWriteAs = (author) => `${author} = ${my("email")}`;
  const all = (may) => ({ columns: orderColumns, may, mayWriteAs });
  const isOwn = `o.owner = ${my("email")}`;
  return {
    Clerks: { mayItem: `i.owner = ${my("email")}`, mayWriteAs },
    Sellers: all(isOwn),
    Teams: all(`o.team = ${my("name")}`),
    Countries: all(
      `exists (select from bench_traffic.makers c where c.id = o.maker_id and c.country in (${countries}))`,
    ),
    Auditors: {
      columns: withoutOwner,
      may: "(o.status in ('OPEN', 'PAID') or o.team = 'team-0')",
      mayWriteAs,
    },
    // A manager is a seller as well, and reads the team of own orders.
    Managers: {
      columns: { ...orderColumns, team: `case when ${isOwn} then o.team end as team` },
      may: "true",
      mayWriteAs,
    },
  };
}
