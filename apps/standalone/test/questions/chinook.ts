import { loadChinook } from "@rowhouse/testing";
import type { World } from "./world.ts";

const second = (rows: readonly { track: { nextCursor: string } }[]): string =>
  `playlist?where[name][_eq]=Grunge&fields=name,track.name&deep[track][order_by]=name&deep[track][limit]=10&deep[track][cursor]=${rows[0]?.track.nextCursor}`;

/** The Chinook sample, a music shop. The clerk looks after Canada, and sells audio files alone. */
export const chinook: World = {
  name: "Chinook",
  schema: "public",
  load: loadChinook,
  deletable: ["playlist_track"],
  clerk: {
    album: { fields: ["album_id", "title"] },
    customer: {
      fields: ["customer_id", "first_name", "country"],
      rowFilter: { country: { _eq: "Canada" } },
    },
    invoice: {
      fields: ["invoice_id", "customer_id", "invoice_date", "total"],
      rowFilter: { billing_country: { _eq: "Canada" } },
    },
    invoice_line: { rowFilter: { "invoice.billing_country": { _eq: "Canada" } } },
    playlist: {},
    playlist_track: {},
    track: {
      fields: ["track_id", "name", "album_id", "milliseconds", "unit_price"],
      rowFilter: { media_type_id: { _eq: 1 } },
    },
  },
  clerkSql: `with customer as (select customer_id, first_name, country from public.customer where country = 'Canada'),
    invoice as (select invoice_id, customer_id, invoice_date, total from public.invoice where billing_country = 'Canada'),
    invoice_line as (select l.* from public.invoice_line l join invoice using (invoice_id)),
    track as (select track_id, name, album_id, milliseconds, unit_price from public.track where media_type_id = 1)`,
  questions: [
    {
      question: "Which are the first three tracks of each playlist by name?",
      request:
        "playlist?fields=name,track.name&deep[track][order_by]=name,track_id&deep[track][limit]=3&order_by=playlist_id",
      sql: `select p.name, (select coalesce(json_agg(json_build_object('name', f.name) order by f.name, track_id), '[]')
          from (select t.name, track_id from track t join playlist_track x using (track_id)
            where x.playlist_id = p.playlist_id order by t.name, track_id limit 3) f) as track
        from playlist p order by playlist_id`,
    },
    {
      question: "Which tracks are on more than four playlists?",
      request: "track?where[playlist][_count][_gt]=4&fields=track_id,name&order_by=track_id",
      sql: `select track_id, name from track join playlist_track using (track_id)
        group by track_id having count(*) > 4 order by 1`,
    },
    {
      question: "Which ten albums have the most tracks, and how long do they play?",
      request:
        "album?fields=title,track.count,track.sum(milliseconds)&order_by=-track.count,album_id&limit=10",
      sql: `select title, json_build_object('count', count(*), 'sum_milliseconds', sum(milliseconds)::text) as track
        from album join track using (album_id) group by album_id order by count(*) desc, album_id limit 10`,
    },
    {
      question: "Which customers live in the country of their agent?",
      request:
        "customer?where[country][_eq]=$FIELD.support_rep.country&fields=customer_id,last_name&order_by=customer_id",
      sql: `select customer_id, c.last_name from customer c join employee e on employee_id = support_rep_id
        where c.country = e.country order by 1`,
    },
    {
      question: "On which albums of more than five tracks has each track another composer?",
      request:
        "track?aggregate=count,count_distinct(composer)&group_by=album.title&having[count][_eq]=$FIELD.count_distinct_composer&having[count][_gt]=5&order_by=album.title",
      sql: `select title as "album.title", count(*), count(distinct composer) as count_distinct_composer
        from track join album using (album_id) group by 1
        having count(*) = count(distinct composer) and count(*) > 5 order by 1`,
    },
    {
      question: "What are the longest and the shortest track of each album by Metallica?",
      request:
        "album?where[artist.name][_eq]=Metallica&fields=title,longest:track.name,shortest:track.name&order_by=album_id" +
        "&deep[longest][order_by]=-milliseconds&deep[longest][limit]=1&deep[shortest][order_by]=milliseconds&deep[shortest][limit]=1",
      sql: `select title,
          (select json_agg(json_build_object('name', name)) from (select name from track t where t.album_id = a.album_id
            order by milliseconds desc, track_id desc fetch first row only) x) as longest,
          (select json_agg(json_build_object('name', name)) from (select name from track t where t.album_id = a.album_id
            order by milliseconds, track_id fetch first row only) x) as shortest
        from album a join artist b using (artist_id) where b.name = 'Metallica' order by album_id`,
    },
    {
      question: "How many invoices did each customer get before 2023, and how many since?",
      request:
        "customer?fields=last_name,before:invoice.count,since:invoice.count&order_by=customer_id" +
        "&deep[before][where][invoice_date][_lt]=2023-01-01&deep[since][where][invoice_date][_gte]=2023-01-01",
      sql: `select last_name,
          json_build_object('count', count(*) filter (where invoice_date < '2023-01-01')) as before,
          json_build_object('count', count(*) filter (where invoice_date >= '2023-01-01')) as since
        from customer left join invoice using (customer_id) group by customer_id order by customer_id`,
    },
    {
      question: "Which are the second and the third dearest invoice of each customer in Germany?",
      request:
        "customer?where[country][_eq]=Germany&fields=last_name,invoice.invoice_id,invoice.total&order_by=customer_id" +
        "&deep[invoice][order_by]=-total,invoice_id&deep[invoice][offset]=1&deep[invoice][limit]=2",
      sql: `select last_name, json_agg(json_build_object('invoice_id', invoice_id, 'total', total::text) order by place) as invoice
        from (select c.*, invoice_id, total, row_number() over (partition by customer_id order by total desc, invoice_id) as place
          from customer c join invoice using (customer_id) where country = 'Germany') ranked
        where place in (2, 3) group by customer_id, last_name order by customer_id`,
    },
    {
      question: "What is on the second page of the playlist Grunge, with ten tracks on each?",
      request:
        "playlist?where[name][_eq]=Grunge&fields=name,track.name&deep[track][order_by]=name&deep[track][limit]=10&deep[track][cursor]=true",
      next: second,
      sql: `select name, (select json_build_object('data', json_agg(json_build_object('name', x.name)))
          from (select t.name from track t join playlist_track l using (track_id)
            where l.playlist_id = p.playlist_id order by t.name, track_id offset 10 limit 10) x) as track
        from playlist p where name = 'Grunge'`,
    },
    {
      question:
        "Which genres have more than fifty tracks of each media type, and how long are these?",
      request:
        "media_type?fields=name,track.count,track.avg(milliseconds)&order_by=media_type_id" +
        "&deep[track][group_by]=genre.name&deep[track][having][count][_gt]=50&deep[track][order_by]=-count,genre.name",
      sql: `select m.name, (select coalesce(json_agg(g), '[]') from (
            select genre.name as "genre.name", count(*), avg(milliseconds)::text as avg_milliseconds
            from track left join genre using (genre_id) where track.media_type_id = m.media_type_id
            group by 1 having count(*) > 50 order by 2 desc, 1) g) as track
        from media_type m order by media_type_id`,
    },
    {
      question: "What did each genre earn?",
      request:
        "invoice_line?aggregate=sum(unit_price*quantity):revenue,count&group_by=track.genre.name&order_by=-revenue,track.genre.name",
      sql: `select g.name as "track.genre.name", sum(l.unit_price * l.quantity)::text as revenue, count(*)
        from invoice_line l join track using (track_id) join genre g using (genre_id)
        group by 1 order by sum(l.unit_price * l.quantity) desc, 1`,
    },
    {
      question: "On which weekdays do customers buy?",
      request:
        "invoice?aggregate=count,sum(total)&group_by=date_part(weekday,invoice_date)&order_by=invoice_date_part_weekday",
      sql: `select extract(isodow from invoice_date)::int as invoice_date_part_weekday, count(*), sum(total)::text as sum_total
        from invoice group by 1 order by 1`,
    },
    {
      question: "Which invoices are of a December?",
      request:
        "invoice?where[invoice_date][_part][month][_eq]=12&fields=invoice_id,invoice_date,total&order_by=invoice_id",
      sql: `select invoice_id, invoice_date, total::text from invoice
        where to_char(invoice_date, 'MM') = '12' order by 1`,
    },
    {
      question: "Which customers have two invoices above ten dollars or more?",
      request:
        'customer?where={"invoice":{"_count":{"_gte":2,"_where":{"total":{"_gt":10}}}}}&fields=customer_id,first_name&order_by=customer_id',
      sql: `select customer_id, first_name from customer join invoice using (customer_id)
        where total > 10 group by 1 having count(*) >= 2 order by 1`,
    },
    {
      question: "Which tracks have a word in their name that begins with rock?",
      request:
        'track?where={"name":{"_search":{"text":"rock","config":"simple","mode":"prefix"}}}&fields=track_id,name&order_by=track_id',
      sql: String.raw`select track_id, name from track where name ~* '\mrock' order by 1`,
    },
    {
      question: "Which of my customers spent most, and on how many invoices?",
      as: "clerk",
      request:
        "customer?fields=first_name,country,invoice.count,invoice.sum(total)&order_by=-invoice.sum(total),customer_id",
      sql: `select first_name, country, json_build_object('count', count(invoice_id), 'sum_total', sum(total)::text) as invoice
        from customer left join invoice using (customer_id)
        group by customer_id, first_name, country order by sum(total) desc, customer_id`,
    },
    {
      question: "From which albums did my customers buy most tracks?",
      as: "clerk",
      request:
        "invoice_line?aggregate=count,sum(quantity*unit_price):revenue&group_by=track.album.title&order_by=-count,track.album.title&limit=20",
      sql: `select title as "track.album.title", count(*), sum(quantity * l.unit_price)::text as revenue
        from invoice_line l left join track using (track_id) left join album using (album_id)
        group by 1 order by count(*) desc, 1 limit 20`,
    },
    {
      question: "How many tracks that I sell are on each playlist, and how long is the longest?",
      as: "clerk",
      request:
        "playlist?fields=name,track.count,track.max(milliseconds)&order_by=-track.count,playlist_id",
      sql: `select p.name, json_build_object('count', count(t.track_id), 'max_milliseconds', max(milliseconds)) as track
        from playlist p left join playlist_track using (playlist_id) left join track t using (track_id)
        group by playlist_id order by count(t.track_id) desc, playlist_id`,
    },
    {
      question: "How many of my invoices are above five dollars?",
      as: "clerk",
      method: "HEAD",
      request: "invoice?where[total][_gt]=5&count=exact&limit=0",
      sql: "select count(*) from invoice where total > 5",
    },
    {
      question: "How many tracks leave the playlist Heavy Metal Classic when it is emptied?",
      method: "DELETE",
      request: "playlist_track?where[playlist.name][_eq]=Heavy Metal Classic&max_affected=100",
      sql: `select count(*) from playlist_track join playlist using (playlist_id) where name = 'Heavy Metal Classic'`,
    },
  ],
};
