-- The tables, columns, types and keys of the Pagila sample, a rental of films, and one column more: `rental.rental_period`.
-- The rows are generated: each value follows from a hash of its place, so that every load has the same rows.
create schema pagila;
set local search_path = pagila;

create or replace function pg_temp.pick(seed text, choices integer) returns integer language sql immutable as
  $$ select ('x' || left(md5(seed), 7))::bit(28)::integer % choices $$;
create or replace function pg_temp.choose(seed text, variadic choices text[]) returns text language sql immutable as
  $$ select choices[1 + pg_temp.pick(seed, cardinality(choices))] $$;

create type mpaa_rating as enum ('G', 'PG', 'PG-13', 'R', 'NC-17');
create domain year as integer check (value >= 1901 and value <= 2155);

create table actor (
  actor_id integer primary key,
  first_name text not null,
  last_name text not null,
  last_update timestamptz not null default '2022-02-15 10:00:00+00'
);
create table category (
  category_id integer primary key,
  name text not null,
  last_update timestamptz not null default '2022-02-15 10:00:00+00'
);
create table country (
  country_id integer primary key,
  country text not null,
  last_update timestamptz not null default '2022-02-15 10:00:00+00'
);
create table city (
  city_id integer primary key,
  city text not null,
  country_id integer not null references country,
  last_update timestamptz not null default '2022-02-15 10:00:00+00'
);
create table address (
  address_id integer primary key,
  address text not null,
  address2 text,
  district text not null,
  city_id integer not null references city,
  postal_code text,
  phone text not null,
  last_update timestamptz not null default '2022-02-15 10:00:00+00'
);
create table language (
  language_id integer primary key,
  name character(20) not null,
  last_update timestamptz not null default '2022-02-15 10:00:00+00'
);
create table film (
  film_id integer primary key,
  title text not null,
  description text,
  release_year year,
  language_id integer not null references language,
  original_language_id integer references language,
  rental_duration smallint not null default 3,
  rental_rate numeric(4, 2) not null default 4.99,
  length smallint,
  replacement_cost numeric(5, 2) not null default 19.99,
  rating mpaa_rating default 'G',
  last_update timestamptz not null default '2022-02-15 10:00:00+00',
  special_features text[],
  fulltext tsvector not null
);
create table film_actor (
  actor_id integer not null references actor,
  film_id integer not null references film,
  last_update timestamptz not null default '2022-02-15 10:00:00+00',
  primary key (actor_id, film_id)
);
create table film_category (
  film_id integer not null references film,
  category_id integer not null references category,
  last_update timestamptz not null default '2022-02-15 10:00:00+00',
  primary key (film_id, category_id)
);
create table store (
  store_id integer primary key,
  manager_staff_id integer not null,
  address_id integer not null references address,
  last_update timestamptz not null default '2022-02-15 10:00:00+00'
);
create table staff (
  staff_id integer primary key,
  first_name text not null,
  last_name text not null,
  address_id integer not null references address,
  email text,
  store_id integer not null references store,
  active boolean not null default true,
  username text not null,
  password text,
  last_update timestamptz not null default '2022-02-15 10:00:00+00',
  picture bytea
);
create table customer (
  customer_id integer primary key,
  store_id integer not null references store,
  first_name text not null,
  last_name text not null,
  email text,
  address_id integer not null references address,
  activebool boolean not null default true,
  create_date date not null default '2022-02-14',
  last_update timestamptz default '2022-02-15 10:00:00+00',
  active integer
);
create table inventory (
  inventory_id integer primary key,
  film_id integer not null references film,
  store_id integer not null references store,
  last_update timestamptz not null default '2022-02-15 10:00:00+00'
);
create table rental (
  rental_id integer primary key,
  rental_date timestamptz not null,
  inventory_id integer not null references inventory,
  customer_id integer not null references customer,
  return_date timestamptz,
  staff_id integer not null references staff,
  last_update timestamptz not null default '2022-02-15 10:00:00+00',
  rental_period tstzrange generated always as (tstzrange(rental_date, return_date)) stored
);
create unique index on rental (rental_date, inventory_id, customer_id);
create table payment (
  payment_id integer not null,
  customer_id integer not null references customer,
  staff_id integer not null references staff,
  rental_id integer not null references rental,
  amount numeric(5, 2) not null,
  payment_date timestamptz not null,
  primary key (payment_date, payment_id)
) partition by range (payment_date);
create table payment_p2022_02 partition of payment for values from ('2022-01-01 00:00:00+00') to ('2022-04-01 00:00:00+00');
create table payment_p2022_04 partition of payment for values from ('2022-04-01 00:00:00+00') to ('2022-08-01 00:00:00+00');
create table packages_apt_postgresql_org (
  package_id integer primary key,
  aptdata jsonb
);

insert into actor (actor_id, first_name, last_name)
select n, upper(pg_temp.choose('first ' || n, 'Penny', 'Nick', 'Ada', 'Bette', 'Grace', 'Matt', 'Joe', 'Uma', 'Zero', 'Karl')),
  upper(pg_temp.choose('last ' || n, 'Gable', 'Wahl', 'Chase', 'Davis', 'Lolo', 'Berry', 'Wood', 'Torn', 'Fawn', 'Swank'))
from generate_series(1, 40) n;
insert into category (category_id, name)
select n, name from unnest(array['Action', 'Animation', 'Children', 'Classics', 'Comedy', 'Drama', 'Family', 'Horror']) with ordinality list (name, n);
insert into country (country_id, country)
select n, name from unnest(array['Canada', 'Australia', 'Japan', 'Brazil', 'Italy', 'Norway']) with ordinality list (name, n);
insert into city (city_id, city, country_id) select n, 'City ' || n, 1 + pg_temp.pick('city ' || n, 6) from generate_series(1, 20) n;
insert into address (address_id, address, district, city_id, phone)
select n, n || ' Main Street', 'District ' || n % 7, 1 + pg_temp.pick('address ' || n, 20), (4000000 + n)::text from generate_series(1, 84) n;
insert into language (language_id, name) values (1, 'English'), (2, 'Italian'), (3, 'Japanese'), (4, 'Norwegian');
insert into film (film_id, title, description, release_year, language_id, original_language_id, rental_duration, rental_rate, length,
  replacement_cost, rating, special_features, fulltext)
select n, title, description, 1990 + pg_temp.pick('year ' || n, 30), 1 + pg_temp.pick('language ' || n, 2),
  case when pg_temp.pick('original ' || n, 3) = 0 then 1 + pg_temp.pick('from ' || n, 4) end, 3 + pg_temp.pick('duration ' || n, 5),
  (array[0.99, 2.99, 4.99])[1 + pg_temp.pick('rate ' || n, 3)], 46 + pg_temp.pick('length ' || n, 140), 9.99 + pg_temp.pick('cost ' || n, 20),
  pg_temp.choose('rating ' || n, 'G', 'PG', 'PG-13', 'R', 'NC-17')::mpaa_rating,
  (select array_agg(feature) from unnest(array['Trailers', 'Commentaries', 'Deleted Scenes', 'Behind the Scenes']) feature
   where pg_temp.pick(feature || n, 2) = 0),
  to_tsvector('english', title || ' ' || description)
from generate_series(1, 150) n
cross join lateral (select
  upper(pg_temp.choose('word ' || n, 'Academy', 'Lucky', 'Silent', 'Northern', 'Paper', 'Golden', 'Midnight', 'Crystal') || ' ' ||
    pg_temp.choose('second ' || n, 'Dinosaur', 'River', 'Voyage', 'Empire', 'Garden', 'Shadows', 'Bridge', 'Harvest', 'Runner')) as title,
  format('A %s %s of a %s And a %s who must %s a %s in %s',
    pg_temp.choose('tone ' || n, 'Thrilling', 'Touching', 'Boring', 'Fateful', 'Stunning'),
    pg_temp.choose('genre ' || n, 'Drama', 'Tale', 'Story', 'Documentary', 'Panorama'),
    pg_temp.choose('hero ' || n, 'Mad Scientist', 'Teacher', 'Moose', 'Dentist', 'Robot', 'Hunter'),
    pg_temp.choose('other ' || n, 'Shark', 'Mad Cow', 'Pastry Chef', 'Scientist', 'Student', 'Boat'),
    pg_temp.choose('deed ' || n, 'Battle', 'Chase', 'Find', 'Meet', 'Outrun'),
    pg_temp.choose('rival ' || n, 'Moose', 'Teacher', 'Husband', 'Pioneer', 'Shark'),
    pg_temp.choose('where ' || n, 'Ancient Japan', 'A Jet Boat', 'The Outback', 'A Baloon Factory', 'Berlin')) as description) texts;
insert into film_actor (actor_id, film_id)
select distinct 1 + pg_temp.pick('plays ' || n || part, 39), n from generate_series(1, 150) n, generate_series(1, 1 + pg_temp.pick('cast ' || n, 5)) part;
insert into film_category (film_id, category_id)
select distinct n, 1 + pg_temp.pick('shelf ' || n || part, 8) from generate_series(1, 148) n, generate_series(1, 1 + pg_temp.pick('shelves ' || n, 2)) part;
insert into store (store_id, manager_staff_id, address_id) values (1, 1, 1), (2, 2, 2);
insert into staff (staff_id, first_name, last_name, address_id, email, store_id, username, password) values
  (1, 'Mike', 'Hill', 3, 'mike@example.com', 1, 'mike', 'x'), (2, 'Jon', 'Steen', 4, 'jon@example.com', 2, 'jon', 'x'),
  (3, 'Eva', 'Holm', 3, null, 1, 'eva', null);
alter table store add foreign key (manager_staff_id) references staff;
create unique index on store (manager_staff_id);
insert into customer (customer_id, store_id, first_name, last_name, email, address_id, activebool, active)
select n, 1 + pg_temp.pick('store ' || n, 2), upper(pg_temp.choose('given ' || n, 'Mary', 'Linda', 'Barb', 'Liz', 'Tom', 'Carl')),
  'NAME ' || n, 'customer' || n || '@example.com', 4 + n, a > 0, a
from generate_series(1, 80) n cross join lateral (select least(pg_temp.pick('active ' || n, 8), 1) as a) active;
insert into inventory (inventory_id, film_id, store_id)
select n, 1 + pg_temp.pick('copy ' || n, 145), 1 + pg_temp.pick('kept ' || n, 2) from generate_series(1, 420) n;
insert into rental (rental_id, rental_date, inventory_id, customer_id, return_date, staff_id)
select n, at, 1 + pg_temp.pick('rents ' || n, 420), 1 + pg_temp.pick('renter ' || n, 78),
  case when pg_temp.pick('kept back ' || n, 15) > 0 then at + pg_temp.pick('days ' || n, 9) * interval '1 day' + (1 + pg_temp.pick('minutes ' || n, 1400)) * interval '1 minute' end,
  1 + pg_temp.pick('clerk ' || n, 3)
from generate_series(1, 1200) n
cross join lateral (select timestamptz '2022-02-14 10:00:00+00' + n * interval '2 hours 47 minutes' + pg_temp.pick('at ' || n, 90) * interval '1 minute' as at) times;
insert into payment (payment_id, customer_id, staff_id, rental_id, amount, payment_date)
select 16000 + rental_id, customer_id, staff_id, rental_id,
  case when pg_temp.pick('free ' || rental_id, 40) = 0 then 0 else rental_rate + pg_temp.pick('late ' || rental_id, 4) end,
  rental_date
from rental join inventory using (inventory_id) join film using (film_id) where pg_temp.pick('pays ' || rental_id, 25) > 0;
insert into packages_apt_postgresql_org
select n, jsonb_build_object('Package', 'package-' || n, 'Section', pg_temp.choose('section ' || n, 'database', 'libs', 'python', 'doc'),
    'Version', jsonb_build_object('upstream', pg_temp.choose('version ' || n, '14.2', '13.6', '12.10'), 'revision', pg_temp.pick('revision ' || n, 5)))
  || case when n % 9 = 0 then '{}' else jsonb_build_object('Size', pg_temp.pick('size ' || n, 90000) / (case when n % 4 = 0 then 8.0 else 1 end)) end
  || case when n % 5 = 0 then '{"Tags": ["role::program", "interface::shell"]}' else '{"Tags": []}'::jsonb end
from generate_series(1, 90) n;
