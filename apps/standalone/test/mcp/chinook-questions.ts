/** Rows of a result of a tool. */
export type ToolRows = readonly Readonly<Record<string, unknown>>[];

/** A call of a tool, as an agent makes it. */
export type ToolCall = {
  readonly tool: "search_resources" | "read_rows" | "aggregate_rows";
  readonly arguments: Readonly<Record<string, unknown>>;
};

/** A question of a person, the calls that answer it, and the SQL with the same answer. */
export type Question = {
  readonly question: string;
  readonly first: ToolCall;
  /** Further calls; each is made with the rows and the cursor of the one before it. */
  readonly next?: readonly ((rows: ToolRows, nextCursor: string | undefined) => ToolCall)[];
  readonly sql: string;
};

const read = (name: string, terms: object): ToolCall => ({
  tool: "read_rows",
  arguments: { schema: "public", name, ...terms },
});
const total = (name: string, terms: object): ToolCall => ({
  tool: "aggregate_rows",
  arguments: { schema: "public", name, ...terms },
});

/** Thirty questions on the Chinook sample, a music shop. Numbers of PostgreSQL's `numeric` and `bigint` are text. */
export const questions: readonly Question[] = [
  {
    question: "Which tables does the shop have?",
    first: { tool: "search_resources", arguments: { schema: "public" } },
    sql: `select table_schema as schema, table_name as name from information_schema.tables
      where table_schema = 'public' order by 2`,
  },
  {
    question: "Where is the price of something stored?",
    first: { tool: "search_resources", arguments: { query: "price" } },
    sql: `select table_schema as schema, table_name as name from information_schema.columns
      where column_name like '%price%' and table_schema = 'public' order by 2`,
  },
  {
    question: "In which five countries do most customers live?",
    first: total("customer", {
      ...{ aggregate: ["count"], groupBy: ["country"] },
      ...{ orderBy: ["-count", "country"], limit: 5 },
    }),
    sql: "select country, count(*) from customer group by 1 order by 2 desc, 1 limit 5",
  },
  {
    question: "Who has spent the most money?",
    first: total("invoice", {
      ...{ aggregate: ["sum(total)"], groupBy: ["customer_id"] },
      ...{ orderBy: ["-sum_total"], limit: 1 },
    }),
    next: [
      ([best]) =>
        read("customer", {
          key: [String(best?.customer_id)],
          fields: ["first_name", "last_name", "country"],
        }),
    ],
    sql: `select first_name, last_name, country from customer join invoice using (customer_id)
      group by customer_id order by sum(total) desc limit 1`,
  },
  {
    question: "Which genres sell best?",
    first: total("invoice_line", {
      ...{ aggregate: ["sum(quantity)"], groupBy: ["track.genre.name"] },
      ...{ orderBy: ["-sum_quantity", "track.genre.name"], limit: 3 },
    }),
    sql: `select g.name as "track.genre.name", sum(quantity)::text as sum_quantity
      from invoice_line join track using (track_id) join genre g using (genre_id)
      group by 1 order by sum(quantity) desc, 1 limit 3`,
  },
  {
    question: "What was the revenue of each year?",
    first: total("invoice", {
      ...{ aggregate: ["sum(total)"], groupBy: ["date_trunc(year,invoice_date)"] },
      orderBy: ["invoice_date_year"],
    }),
    sql: `select date_trunc('year', invoice_date) as invoice_date_year, sum(total)::text as sum_total
      from invoice group by 1 order by 1`,
  },
  {
    question: "Which albums are by AC/DC?",
    first: read("album", {
      ...{ fields: ["title"], orderBy: ["title"] },
      where: { "artist.name": { _eq: "AC/DC" } },
    }),
    sql: "select title from album join artist using (artist_id) where name = 'AC/DC' order by 1",
  },
  {
    question: "What is the longest track?",
    first: read("track", {
      ...{ fields: ["name", "milliseconds"], orderBy: ["-milliseconds"], limit: 1 },
    }),
    sql: "select name, milliseconds from track order by milliseconds desc limit 1",
  },
  {
    question: "How many tracks have no composer?",
    first: total("track", { aggregate: ["count"], where: { composer: { _null: true } } }),
    sql: "select count(*) from track where composer is null",
  },
  {
    question: "What does a German customer pay on average?",
    first: total("invoice", {
      aggregate: ["avg(total)"],
      where: { "customer.country": { _eq: "Germany" } },
    }),
    sql: `select avg(total)::text as avg_total from invoice join customer using (customer_id)
      where country = 'Germany'`,
  },
  {
    question: "Who is at the top of the company?",
    first: read("employee", {
      ...{ fields: ["first_name", "last_name", "title"], where: { reports_to: { _null: true } } },
    }),
    sql: "select first_name, last_name, title from employee where reports_to is null",
  },
  {
    question: "Which Canadian customers does Jane Peacock look after?",
    first: read("customer", {
      ...{ fields: ["first_name", "last_name"], orderBy: ["last_name"] },
      where: {
        "support_rep.last_name": { _eq: "Peacock" },
        country: { _eq: "Canada" },
      },
    }),
    sql: `select c.first_name, c.last_name from customer c join employee e on employee_id = support_rep_id
      where e.last_name = 'Peacock' and c.country = 'Canada' order by c.last_name`,
  },
  {
    question: "What is on the playlist Grunge?",
    first: read("playlist_track", {
      ...{ fields: ["track.name"], orderBy: ["track.name"] },
      where: { "playlist.name": { _eq: "Grunge" } },
    }),
    sql: `select json_build_object('name', t.name) as track from playlist_track
      join playlist p using (playlist_id) join track t using (track_id)
      where p.name = 'Grunge' order by t.name`,
  },
  {
    question: "To how many cities do we send invoices?",
    first: total("invoice", { aggregate: ["count_distinct(billing_city)"] }),
    sql: "select count(distinct billing_city) as count_distinct_billing_city from invoice",
  },
  {
    question: "What do the cheapest and the dearest track cost?",
    first: total("track", { aggregate: ["min(unit_price)", "max(unit_price)"] }),
    sql: `select min(unit_price)::text as min_unit_price, max(unit_price)::text as max_unit_price from track`,
  },
  {
    question: "How many tracks does each media type have?",
    first: total("track", {
      ...{ aggregate: ["count"], groupBy: ["media_type.name"], orderBy: ["media_type.name"] },
    }),
    sql: `select m.name as "media_type.name", count(*) from track
      join media_type m using (media_type_id) group by 1 order by 1`,
  },
  {
    question: "What does invoice 5 say?",
    first: read("invoice", {
      ...{ key: ["5"], fields: ["total", "customer.last_name", "invoice_line.track.name"] },
    }),
    sql: `select total::text, json_build_object('last_name', c.last_name) as customer,
        (select json_agg(json_build_object('track', json_build_object('name', t.name)) order by invoice_line_id)
         from invoice_line join track t using (track_id) where invoice_id = 5) as invoice_line
      from invoice join customer c using (customer_id) where invoice_id = 5`,
  },
  {
    question: "Which invoices are above 20 dollars?",
    first: read("invoice", {
      ...{ fields: ["invoice_id", "total"], orderBy: ["-total", "invoice_id"] },
      where: { total: { _gt: 20 } },
    }),
    sql: `select invoice_id, total::text from invoice where total > 20
      order by invoice.total desc, invoice_id`,
  },
  {
    question: "Which artists have black in their name?",
    first: read("artist", {
      ...{ fields: ["name"], orderBy: ["name"], where: { name: { _icontains: "black" } } },
    }),
    sql: "select name from artist where name ilike '%black%' order by name",
  },
  {
    question: "How many tracks were never sold?",
    first: total("track", {
      aggregate: ["count"],
      where: { invoice_line: { _none: { quantity: { _gt: 0 } } } },
    }),
    sql: `select count(*) from track t
      where not exists (select from invoice_line l where l.track_id = t.track_id)`,
  },
  {
    question: "Who bought classical music?",
    first: read("customer", {
      ...{ fields: ["customer_id", "last_name"], orderBy: ["customer_id"] },
      where: {
        invoice: {
          _some: { invoice_line: { _some: { "track.genre.name": { _eq: "Classical" } } } },
        },
      },
    }),
    sql: `select distinct customer_id, last_name from customer join invoice using (customer_id)
      join invoice_line using (invoice_id) join track using (track_id) join genre using (genre_id)
      where genre.name = 'Classical' order by 1`,
  },
  {
    question: "What did each agent sell?",
    first: total("invoice", {
      ...{ aggregate: ["sum(total)", "count"], groupBy: ["customer.support_rep.last_name"] },
      orderBy: ["customer.support_rep.last_name"],
    }),
    sql: `select e.last_name as "customer.support_rep.last_name", sum(total)::text as sum_total, count(*)
      from invoice join customer c using (customer_id) join employee e on employee_id = support_rep_id
      group by 1 order by 1`,
  },
  {
    question: "In which months of 2024 was the revenue above 38 dollars?",
    first: total("invoice", {
      ...{ aggregate: ["sum(total)"], groupBy: ["date_trunc(month,invoice_date)"] },
      where: { invoice_date: { _gte: "2024-01-01", _lt: "2025-01-01" } },
      ...{ having: { sum_total: { _gt: 38 } }, orderBy: ["invoice_date_month"] },
    }),
    sql: `select date_trunc('month', invoice_date) as invoice_date_month, sum(total)::text as sum_total
      from invoice where extract(year from invoice_date) = 2024
      group by 1 having sum(total) > 38 order by 1`,
  },
  {
    question: "Which are the three newest invoices?",
    first: read("invoice", {
      ...{
        fields: ["invoice_id", "invoice_date"],
        orderBy: ["-invoice_date", "-invoice_id"],
        limit: 3,
      },
    }),
    sql: `select invoice_id, invoice_date from invoice
      order by invoice_date desc, invoice_id desc limit 3`,
  },
  {
    question: "Which genres are on the third page, with ten on each?",
    first: read("genre", { fields: ["name"], orderBy: ["name"], limit: 10 }),
    next: [
      (_rows, cursor) => read("genre", { fields: ["name"], orderBy: ["name"], limit: 10, cursor }),
      (_rows, cursor) => read("genre", { fields: ["name"], orderBy: ["name"], limit: 10, cursor }),
    ],
    sql: "select name from genre order by name offset 20 limit 10",
  },
  {
    question: "Where does the word garden occur in a track?",
    first: read("track", { fields: ["track_id"], orderBy: ["track_id"], search: "garden" }),
    sql: `select track_id from track where name ilike '%garden%' or composer ilike '%garden%' order by 1`,
  },
  {
    question: "Which album has the most tracks, and by whom is it?",
    first: total("track", {
      ...{ aggregate: ["count"], groupBy: ["album_id"], orderBy: ["-count"], limit: 1 },
    }),
    next: [
      ([most]) =>
        read("album", { key: [String(most?.album_id)], fields: ["title", "artist.name"] }),
    ],
    sql: `select title, json_build_object('name', a.name) as artist from album join artist a using (artist_id)
      join track using (album_id) group by album_id, a.name order by count(*) desc limit 1`,
  },
  {
    question: "Who was hired in 2003?",
    first: read("employee", {
      ...{ fields: ["last_name"], orderBy: ["hire_date"] },
      where: { hire_date: { _between: ["2003-01-01", "2003-12-31"] } },
    }),
    sql: `select last_name from employee where extract(year from hire_date) = 2003 order by hire_date`,
  },
  {
    question: "How many artists have no album?",
    first: total("artist", {
      aggregate: ["count"],
      where: { album: { _none: { album_id: { _nnull: true } } } },
    }),
    sql: "select count(*) from artist where artist_id not in (select artist_id from album)",
  },
  {
    question: "How long does all the music of Iron Maiden play, and how many megabytes is it?",
    first: total("track", {
      aggregate: ["sum(milliseconds)", "sum(bytes)"],
      where: { "album.artist.name": { _eq: "Iron Maiden" } },
    }),
    sql: `select sum(milliseconds)::text as sum_milliseconds, sum(bytes)::text as sum_bytes
      from track join album using (album_id) join artist a using (artist_id) where a.name = 'Iron Maiden'`,
  },
];
