//! The art of a card without a picture: a small landscape or emblem, the same for the same name
//! every time.

use super::colour::{Colour, hsl};
use decklaw_core::format::display::Motif;
use decklaw_core::text::markup;
use std::f64::consts::{PI, TAU};
use std::fmt::Write;

/// Numbers from a name: FNV-1a, then mulberry32.
struct Chance(u32);

impl Chance {
    fn of(name: &str) -> Chance {
        let hash = |seed: u32, letter: char| (seed ^ u32::from(letter)).wrapping_mul(0x0100_0193);
        Chance(name.chars().fold(0x811c_9dc5, hash))
    }

    /// The next number, from 0 up to 1.
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x6d2b_79f5);
        let mut t = (self.0 ^ (self.0 >> 15)).wrapping_mul(1 | self.0);
        t = t.wrapping_add((t ^ (t >> 7)).wrapping_mul(61 | t)) ^ t;
        f64::from(t ^ (t >> 14)) / 4_294_967_296.0
    }
}

type Point = (f64, f64);

/// A number with one decimal, so that no platform's sine shows.
fn number(value: f64) -> String {
    let text = format!("{value:.1}");
    let text = text.strip_suffix(".0").unwrap_or(&text);
    if text == "-0" { "0" } else { text }.to_owned()
}

/// A template whose each `%` is the next of the numbers.
fn filled(template: &str, numbers: &[f64]) -> String {
    let mut numbers = numbers.iter();
    let mut text = String::new();
    for letter in template.chars() {
        match letter {
            '%' => text.push_str(&number(numbers.next().copied().unwrap_or(0.0))),
            other => text.push(other),
        }
    }
    text
}

/// A closed line through points.
fn polygon(points: impl IntoIterator<Item = Point>) -> String {
    let points = points.into_iter();
    let points: Vec<String> = points.map(|(x, y)| format!("{} {}", number(x), number(y))).collect();
    format!("M{}Z", points.join("L"))
}

fn turned((x, y): Point, radius: f64, angle: f64) -> Point {
    (x + radius * angle.cos(), y + radius * angle.sin())
}

fn star(middle: Point, rays: usize, outer: f64, inner: f64) -> String {
    polygon((0..rays * 2).map(|at| {
        let radius = if at % 2 == 0 { outer } else { inner };
        turned(middle, radius, at as f64 * PI / rays as f64 - PI / 2.0)
    }))
}

/// Draws the art of a card, without the element around it.
pub(super) fn emblem(
    name: &str,
    colour: Colour,
    motif: Motif,
    (width, height): Point,
    glyph: &str,
) -> String {
    if motif == Motif::Pip {
        return pip(colour, (width, height), glyph);
    }
    let mut chance = Chance::of(name);
    let (base, saturation) = colour.hue();
    let hue = base + (chance.next() - 0.5) * 30.0;
    let mood = (chance.next() * 3.0) as u8;
    let s = saturation;
    let (top, bottom) = match mood {
        0 => (hsl(hue + 20.0, s, 78.0), hsl(hue + 45.0, s, 90.0)),
        1 => (hsl(hue - 25.0, s * 0.8, 40.0), hsl(hue + 50.0, f64::min(90.0, s + 20.0), 74.0)),
        _ => (hsl(hue + 10.0, s, 13.0), hsl(hue - 10.0, s, 44.0)),
    };
    let is_night = mood == 2;
    let glow = hsl(hue + 40.0, f64::min(95.0, s + 25.0), if is_night { 84.0 } else { 94.0 });
    let id = Chance::of(&format!("{name}{width}{height}")).0;
    let mut scene = Scene {
        chance,
        width,
        height,
        hue,
        saturation,
        light: if is_night { 44.0 } else { 56.0 },
        fade: 1.0,
        glow: glow.to_string(),
        id,
        svg: String::new(),
    };
    let _ = write!(
        scene.svg,
        "<linearGradient id=\"s{id:x}\" x1=\"0\" y1=\"0\" x2=\"0\" y2=\"1\"><stop stop-color=\"{top}\"/>\
         <stop offset=\"1\" stop-color=\"{bottom}\"/></linearGradient>\
         <rect width=\"{width}\" height=\"{0}\" fill=\"url(#s{id:x})\"/>",
        number(height)
    );
    if is_night {
        for _ in 0..16 {
            let place = (scene.random(0.0, width), scene.random(0.0, height * 0.6));
            scene.circle(place, 0.9, "#ffffff\" opacity=\".8");
        }
    }
    let sun = (width * scene.random(0.18, 0.82), height * scene.random(0.2, 0.42));
    let size = height * scene.random(0.09, 0.21);
    let halo = format!("{glow}\" opacity=\".22");
    scene.circle(sun, size * 1.8, &halo);
    scene.circle(sun, size, &glow.to_string());
    scene.draw(motif);
    scene.svg
}

/// A picture that is being drawn.
struct Scene {
    chance: Chance,
    width: f64,
    height: f64,
    hue: f64,
    saturation: f64,
    light: f64,
    /// The contrast of layers: less behind a motif.
    fade: f64,
    glow: String,
    id: u32,
    svg: String,
}

impl Scene {
    fn random(&mut self, from: f64, to: f64) -> f64 {
        from + self.chance.next() * (to - from)
    }

    fn is_likely(&mut self, part: f64) -> bool {
        self.chance.next() < part
    }

    fn choose(&mut self, from: usize, more: usize) -> usize {
        from + (self.chance.next() * more as f64) as usize
    }

    /// The colour of a layer: 0 is the farthest, 4 the nearest and darkest.
    fn layer(&self, depth: f64) -> String {
        let depth = depth * self.fade;
        let light = f64::max(9.0, self.light - depth * 11.0);
        hsl(self.hue - depth * 4.0, self.saturation, light).to_string()
    }

    fn warm(&self, light: f64) -> String {
        let saturation = f64::min(92.0, self.saturation + 20.0);
        hsl(self.hue + 32.0, saturation, light).to_string()
    }

    fn path(&mut self, line: &str, fill: &str) {
        let _ = write!(self.svg, "<path d=\"{line}\" fill=\"{fill}\"/>");
    }

    fn outline(&mut self, line: &str, colour: &str, thick: f64) {
        let _ = write!(
            self.svg,
            "<path d=\"{line}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{thick}\" stroke-linejoin=\"round\"/>"
        );
    }

    fn circle(&mut self, (x, y): Point, radius: f64, fill: &str) {
        let _ = write!(
            self.svg,
            "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{fill}\"/>",
            number(x),
            number(y),
            number(radius)
        );
    }

    fn block(&mut self, (x, y): Point, (width, height): Point, round: f64, fill: &str) {
        let line = filled(
            "<rect x=\"%\" y=\"%\" width=\"%\" height=\"%\" rx=\"%\"",
            &[x, y, width, height, round],
        );
        let _ = write!(self.svg, "{line} fill=\"{fill}\"/>");
    }

    /// What is drawn within is turned around a point.
    fn turn(&mut self, degrees: f64, (x, y): Point, draw: impl FnOnce(&mut Scene)) {
        let turn = filled("rotate(% % %)", &[degrees, x, y]);
        let _ = write!(self.svg, "<g transform=\"{turn}\">");
        draw(self);
        self.svg.push_str("</g>");
    }

    fn middle(&self) -> Point {
        (self.width / 2.0, self.height / 2.0)
    }

    /// A hilly line from left to right.
    fn ridge(&mut self, y: f64, high: f64) -> Vec<Point> {
        let (a, b) = (self.random(0.0, 9.0), self.random(0.0, 9.0));
        let points = (0..25).map(|at| {
            let at = f64::from(at);
            let wave = 0.5 + 0.35 * (at * 0.33 + a).sin() + 0.15 * (at * 0.9 + b).sin();
            (at / 24.0 * self.width, y - high * wave)
        });
        points.collect()
    }

    /// The ground beneath a line.
    fn ground(&mut self, line: &[Point], fill: &str) {
        let corners = [(self.width, self.height), (0.0, self.height)];
        let shape = polygon(line.iter().copied().chain(corners));
        self.path(&shape, fill);
    }

    fn hill(&mut self, y: f64, high: f64, depth: f64) {
        let line = self.ridge(self.height * y, self.height * high);
        let fill = self.layer(depth);
        self.ground(&line, &fill);
    }

    fn hills(&mut self, fade: f64) {
        self.fade = fade;
        for at in 0..4 {
            let at = f64::from(at);
            self.hill(0.62 + at * 0.14, 0.34 - at * 0.05, at);
        }
        self.fade = 1.0;
    }

    fn rays(&mut self, number: usize, middle: Point) {
        let part = TAU / number as f64;
        let rays = (0..number).filter(|at| at % 2 == 1).map(|at| {
            let at = at as f64;
            polygon([
                middle,
                turned(middle, 300.0, at * part),
                turned(middle, 300.0, (at + 1.0) * part),
            ])
        });
        let line: String = rays.collect();
        let fill = format!("{}\" opacity=\".14", self.glow);
        self.path(&line, &fill);
    }

    fn rays_around(&mut self, number: usize) {
        self.rays(number, self.middle());
    }

    fn draw(&mut self, motif: Motif) {
        match motif {
            Motif::Hills => self.hills(1.0),
            Motif::Forest => self.forest(),
            Motif::Sea => self.sea(),
            Motif::Fire => self.fire(),
            Motif::Ruins | Motif::Pip => self.ruins(),
            Motif::Stars => self.stars(),
            Motif::Keep => self.keep(),
            Motif::Gem => self.gem(),
            Motif::Portrait => self.portrait(),
            Motif::Orb => self.orb(),
            Motif::Burst => self.burst(),
            Motif::Blades => self.blades(),
            Motif::Barrel => self.barrel(),
            Motif::Rounds => self.rounds(),
            Motif::Shield => self.shield(),
            Motif::Gears => self.gears(),
            Motif::Beast => self.beast(),
        }
    }

    fn forest(&mut self) {
        for at in 0..4 {
            let depth = f64::from(at);
            let line = self.ridge(self.height * (0.66 + depth * 0.13), self.height * 0.24);
            let is_conifer = self.is_likely(0.55);
            let size = self.height * (0.13 + depth * 0.045);
            let fill = self.layer(depth);
            for &(x, y) in &line {
                if !self.is_likely(0.5) {
                    continue;
                }
                let s = size * self.random(0.7, 1.3);
                if is_conifer {
                    let tree = polygon([
                        (x, y - s * 1.7),
                        (x + s * 0.42, y + 4.0),
                        (x - s * 0.42, y + 4.0),
                    ]);
                    self.path(&tree, &fill);
                } else {
                    self.block((x - 1.0, y - s), (2.0, s + 4.0), 0.0, &fill);
                    self.circle((x, y - s), s * 0.48, &fill);
                }
            }
            self.ground(&line, &fill);
        }
    }

    fn sea(&mut self) {
        for at in 0..5 {
            let depth = f64::from(at);
            let y = self.height * (0.48 + depth * 0.12);
            let (waves, high) = (3 + at, 3.0 + depth * 1.8);
            let step = self.width / f64::from(waves);
            let start = -self.random(0.0, step);
            if at == 1 && self.is_likely(0.5) {
                let x = self.width * self.random(0.2, 0.7);
                let boat = filled("M% %l8 8h24l8-8zm18-3v-34l20 30z", &[x, y]);
                let fill = self.layer(3.0);
                self.path(&boat, &fill);
            }
            let mut line = filled("M% %", &[start, y]);
            for _ in 0..waves + 2 {
                line += &filled("q% % % 0t% 0", &[step / 4.0, -high, step / 2.0, step / 2.0]);
            }
            line += &filled("V%H0Z", &[self.height]);
            let fill = self.layer(depth * 0.75);
            self.path(&line, &fill);
        }
    }

    fn fire(&mut self) {
        let fills = [self.warm(58.0), self.warm(46.0), self.layer(3.0)];
        for (at, fill) in (0..).zip(fills) {
            let depth = f64::from(at);
            let tongues = 4 + at * 2;
            let step = self.width / f64::from(tongues);
            let base = self.height * (0.86 + depth * 0.1);
            let mut line = filled("M0 %", &[base]);
            for tongue in 0..tongues {
                let top = self.height * (0.3 + depth * 0.2 + self.random(0.0, 0.3));
                let x = f64::from(tongue) * step;
                let tip = x + step / 2.0 + self.random(-0.5, 0.5) * step;
                line += &filled(
                    "C% % % % % %",
                    &[x + step * 0.1, base - 20.0, tip, top + 30.0, tip, top],
                );
                let end = [tip + step * 0.15, top + 30.0, x + step, base - 30.0, x + step, base];
                line += &filled("C% % % % % %", &end);
            }
            line += &filled("V%H0Z", &[self.height]);
            self.path(&line, &fill);
        }
        let glow = self.glow.clone();
        for _ in 0..14 {
            let place = (self.random(0.0, self.width), self.random(0.0, self.height * 0.8));
            let size = self.random(0.8, 2.6);
            self.circle(place, size, &glow);
        }
    }

    fn ruins(&mut self) {
        self.hills(0.6);
        let bottom = self.height;
        for at in 0..self.choose(3, 3) {
            let wide = self.random(15.0, 31.0);
            let x = 14.0 + at as f64 * 44.0 + self.random(0.0, 14.0);
            let top = bottom * self.random(0.22, 0.56);
            let (line, depth) = if self.is_likely(0.4) {
                let inner = wide - 9.0;
                let arch = "M% %V%a% % 0 0 1 % 0V%h-9V%a% % 0 0 0 % 0V%Z";
                let outer = [x, bottom, top + wide, wide, wide, wide * 2.0, bottom];
                let inside = [top + wide + 4.0, inner, inner, -2.0 * inner, bottom];
                (filled(arch, &[&outer[..], &inside].concat()), 3.0)
            } else {
                let broken = self.random(-5.0, 5.0);
                let half = wide / 2.0;
                (filled("M% %V%l% %l% 4V%Z", &[x, bottom, top, half, broken, half, bottom]), 2.6)
            };
            let fill = self.layer(depth);
            self.path(&line, &fill);
        }
    }

    fn stars(&mut self) {
        let mut points = Vec::new();
        for at in 0..7 {
            let y = self.height * self.random(0.2, 0.8);
            points.push((self.width * (0.1 + f64::from(at) * 0.135), y));
        }
        let line = polygon(points.iter().copied()).replace('Z', "");
        let glow = self.glow.clone();
        self.outline(&line, &format!("{glow}\" stroke-opacity=\".55"), 1.0);
        for point in points {
            let size = self.random(5.0, 13.0);
            self.path(&star(point, 4, size, 1.8), &glow);
        }
        self.hill(1.0, 0.2, 3.4);
    }

    fn keep(&mut self) {
        self.hill(0.8, 0.3, 0.6);
        let bottom = self.height;
        let towers = self.choose(3, 3);
        let glow = self.glow.clone();
        for at in 0..towers {
            let off = at as f64 - (towers - 1) as f64 / 2.0;
            let wide = self.random(24.0, 36.0);
            let x = self.width / 2.0 + off * 34.0 - wide / 2.0;
            let top = bottom * (0.2 + off.abs() * 0.14 + self.random(0.0, 0.1));
            let line = if self.is_likely(0.5) {
                let roof =
                    [(x - 3.0, top), (x + wide / 2.0, top - wide * 0.9), (x + wide + 3.0, top)];
                let walls = [(x + wide, top), (x + wide, bottom), (x, bottom), (x, top)];
                polygon(roof.into_iter().chain(walls))
            } else {
                let gap = (wide - 12.0) / 2.0;
                filled(
                    "M% %V%h6v5h%v-5h6v5h%v-5h6V%Z",
                    &[x - 3.0, bottom, top - 6.0, gap, gap, bottom],
                )
            };
            let fill = self.layer(if off.abs() < 1.0 { 2.8 } else { 1.6 });
            self.path(&line, &fill);
            for window in [14.0, 36.0] {
                self.block((x + wide / 2.0 - 2.5, top + window), (5.0, 9.0), 2.5, &glow);
            }
        }
        self.hill(1.0, 0.18, 3.6);
    }

    fn gem(&mut self) {
        let corners = self.choose(6, 3);
        let (x, y) = self.middle();
        let size = f64::min(self.width, self.height) * 0.38;
        self.rays_around(14);
        let mut rim = Vec::new();
        for at in 0..corners {
            let radius = size * self.random(0.85, 1.1);
            rim.push(turned((x, y), radius, at as f64 / corners as f64 * TAU - 1.6));
        }
        for at in 0..corners {
            let next = rim.iter().cycle().skip(at).copied();
            let edge = next.take(2).chain([(x - size * 0.15, y - size * 0.2)]);
            let shape = polygon(edge);
            let fill = self.layer(0.2 + ((at * 37) % corners) as f64 * (2.6 / corners as f64));
            self.path(&shape, &fill);
        }
        let glow = self.glow.clone();
        self.outline(&polygon(rim), &glow, 2.0);
    }

    fn portrait(&mut self) {
        let (x, s) = (self.width / 2.0, self.height / 128.0);
        let (y, bottom) = (self.height * 0.47, self.height);
        let (hue, saturation) = (self.random(18.0, 32.0), self.random(30.0, 55.0));
        let skin = hsl(hue, saturation, self.random(34.0, 76.0)).to_string();
        let (coat, trim, glow) = (self.layer(2.6), self.warm(56.0), self.glow.clone());
        let hair = if self.is_likely(0.5) { 3.8 } else { 1.0 };
        let hair = self.layer(hair);
        self.rays_around(22);
        self.svg += &filled("<circle cx=\"%\" cy=\"%\" r=\"%\"", &[x, y, 46.0 * s]);
        let _ = write!(
            self.svg,
            " fill=\"none\" stroke=\"{glow}\" stroke-opacity=\".7\" stroke-width=\"2\"/>"
        );
        // Lengths of a path in parts of the picture's height.
        let line = |start: Point, rest: &str, lengths: &[f64]| {
            let lengths: Vec<f64> = lengths.iter().map(|length| length * s).collect();
            filled("M% %", &[start.0, start.1]) + &filled(rest, &lengths)
        };
        let shoulders = [6.0, -44.0, 50.0, -48.0, 36.0, 44.0, 4.0, 50.0, 48.0];
        self.path(&line((x - 68.0 * s, bottom + 4.0), "q% % % %h%q% % % %Z", &shoulders), &coat);
        let collar = [
            (x - 16.0 * s, bottom - 46.0 * s),
            (x, bottom - 12.0 * s),
            (x + 16.0 * s, bottom - 46.0 * s),
        ];
        self.path(&polygon(collar), &trim);
        self.block((x - 9.0 * s, y + 10.0 * s), (18.0 * s, 24.0 * s), 7.0 * s, &skin);
        self.svg += &filled(
            "<ellipse cx=\"%\" cy=\"%\" rx=\"%\" ry=\"%\"",
            &[x, y - 2.0 * s, 20.0 * s, 25.0 * s],
        );
        let _ = write!(self.svg, " fill=\"{skin}\"/>");
        let shade = filled("M% %a% % 0 0 1 0 %Z", &[x, y - 27.0 * s, 20.0 * s, 25.0 * s, 50.0 * s]);
        self.path(&shade, "#000000\" opacity=\".16");
        let (hat, fill) = match self.choose(0, 5) {
            0 => {
                let hood =
                    [30.0, -46.0, 60.0, 0.0, 6.0, 40.0, -10.0, -34.0, -36.0, -34.0, -36.0, 34.0];
                (line((x - 30.0 * s, y - 10.0 * s), "q% % % %l% %q% % % %t% %Z", &hood), coat)
            }
            1 => {
                let brim = [38.0, 10.0, 76.0, 0.0, -10.0, -8.0, -20.0, -9.0];
                let crown = [-4.0, -20.0, -28.0, -4.0, 20.0, -10.0, 1.0, -20.0, 9.0];
                let lengths = [&brim[..], &crown].concat();
                (
                    line(
                        (x - 38.0 * s, y - 16.0 * s),
                        "q% % % %q% % % %l% %h%l% %q% % % %Z",
                        &lengths,
                    ),
                    self.layer(3.6),
                )
            }
            2 => {
                let points = [
                    (-22.0, -18.0),
                    (-26.0, -42.0),
                    (-11.0, -28.0),
                    (0.0, -46.0),
                    (11.0, -28.0),
                    (26.0, -42.0),
                    (22.0, -18.0),
                ];
                (polygon(points.map(|(a, b)| (x + a * s, y + b * s))), trim)
            }
            3 => {
                let short =
                    [-4.0, -34.0, 23.0, -34.0, 23.0, 34.0, -6.0, -18.0, -23.0, -18.0, -23.0, 18.0];
                (line((x - 23.0 * s, y), "q% % % %t% %q% % % %t% %Z", &short), hair)
            }
            _ => {
                let outer = [-10.0, -66.0, 24.0, -66.0, 24.0, 66.0, -9.0];
                let inner = [8.0, -46.0, -15.0, -48.0, -15.0, 48.0];
                let lengths = [&outer[..], &inner].concat();
                (line((x - 24.0 * s, y + 34.0 * s), "q% % % %t% %h%q% % % %t% %Z", &lengths), hair)
            }
        };
        self.path(&hat, &fill);
    }

    fn orb(&mut self) {
        self.rays_around(18);
        let (middle, high) = (self.middle(), self.height);
        let fills = [(1.0, self.layer(2.4)), (0.78, self.layer(1.0)), (0.52, self.warm(64.0))];
        for (size, fill) in fills {
            self.circle(middle, high * 0.36 * size, &fill);
        }
        let glow = self.glow.clone();
        for at in 0..3 {
            let flat = high * self.random(0.12, 0.24);
            let angle = f64::from(at) * 60.0 + self.random(0.0, 40.0);
            self.turn(angle, middle, |scene| {
                let (x, y) = middle;
                scene.svg += &filled(
                    "<ellipse cx=\"%\" cy=\"%\" rx=\"%\" ry=\"%\"",
                    &[x, y, high * 0.48, flat],
                );
                let _ = write!(scene.svg, " fill=\"none\" stroke=\"{glow}\" stroke-width=\"2\"/>");
            });
        }
    }

    fn burst(&mut self) {
        let middle = (self.width * self.random(0.35, 0.65), self.height * self.random(0.4, 0.6));
        let points = self.choose(5, 7);
        self.rays(20 + points, middle);
        let glow = self.glow.clone();
        for (at, size) in [(0.0, 1.0), (1.0, 0.72), (2.0, 0.46), (3.0, 0.2)] {
            let fill = self.layer(2.6 - at * 0.9);
            let high = self.height * size;
            if self.is_likely(0.5) {
                self.path(&star(middle, points, high * 0.44, high * 0.3), &fill);
            } else {
                self.circle(middle, high * 0.38, if at == 3.0 { &glow } else { &fill });
            }
        }
        self.circle(middle, self.height * 0.07, &glow);
    }

    fn blades(&mut self) {
        let (x, y) = self.middle();
        let long = self.height * 0.5;
        let is_single = self.is_likely(0.5);
        let wide = self.random(5.0, 14.0);
        let bend = if self.is_likely(0.4) { 14.0 } else { 0.0 };
        self.rays_around(16);
        let (glow, ridge) = (self.glow.clone(), self.layer(1.4));
        let (guard, grip) = (self.warm(52.0), self.layer(3.4));
        for at in 0..if is_single { 1 } else { 2 } {
            let angle =
                if is_single { self.random(55.0, 75.0) } else { 48.0 + f64::from(at) * 84.0 };
            self.turn(angle, (x, y), |scene| {
                let half = wide / 2.0;
                let hilt = y + long * 0.4;
                let tip = y - long * 1.05;
                let blade = [
                    x - half,
                    hilt,
                    x - half - bend,
                    y - long * 0.3,
                    x,
                    tip,
                    x + half - bend * 0.4,
                    y - long * 0.3,
                    x + half,
                    hilt,
                ];
                scene.path(&filled("M% %Q% % % %Q% % % %Z", &blade), &glow);
                scene.outline(&filled("M% %V%", &[x, hilt, y - long]), &ridge, 1.0);
                scene.block((x - wide * 1.6, hilt), (wide * 3.2, 6.0), 3.0, &guard);
                scene.block((x - 4.0, hilt + 5.0), (8.0, long * 0.5), 4.0, &grip);
            });
        }
    }

    fn barrel(&mut self) {
        let (x, y, s) = (self.width / 2.0, self.height * 0.52, self.height / 128.0);
        let long = self.random(60.0, 90.0) * s;
        let thick = self.random(8.0, 16.0) * s;
        let is_double = self.is_likely(0.4);
        self.rays_around(18);
        let angle = -self.random(18.0, 30.0);
        self.turn(angle, (x, y), |scene| {
            let [front, under, body, stock] = [2.0, 2.8, 3.0, 3.6].map(|depth| scene.layer(depth));
            let (sight, glow) = (scene.warm(52.0), scene.glow.clone());
            scene.block((x - 20.0 * s, y - thick), (long + 20.0 * s, thick), 3.0, &front);
            if is_double {
                scene.block((x - 10.0 * s, y + 2.0), (long * 0.8, thick * 0.6), 3.0, &under);
            }
            scene.block((x - 34.0 * s, y - thick * 1.4), (46.0 * s, thick * 2.0), 5.0, &body);
            let butt = [
                x - 30.0 * s,
                y,
                -44.0 * s,
                16.0 * s,
                18.0 * s,
                30.0 * s,
                -8.0 * s,
                22.0 * s,
                -18.0 * s,
            ];
            scene.path(&filled("M% %l% %v%l% %l% %Z", &butt), &stock);
            scene.block(
                (x - 22.0 * s, y - thick * 1.4 - 9.0 * s),
                (30.0 * s, 6.0 * s),
                3.0,
                &sight,
            );
            scene.circle((x + long, y - thick / 2.0), thick * 0.7, &glow);
        });
    }

    fn rounds(&mut self) {
        let number = self.choose(4, 3);
        let wide = self.width / (number as f64 * 1.7);
        let tip = if self.is_likely(0.5) { wide / 2.0 } else { wide * 1.1 };
        self.rays_around(12);
        let (head, case, rim) = (self.layer(0.6), self.warm(54.0), self.layer(3.0));
        let high = self.height;
        for at in 0..number {
            let x = self.width / 2.0 + (at as f64 - (number - 1) as f64 / 2.0) * wide * 1.35
                - wide / 2.0;
            let top = high * 0.2 + (at % 2) as f64 * 10.0;
            let bullet = [
                x,
                high * 0.6,
                top + tip,
                x,
                top,
                x + wide / 2.0,
                top,
                x + wide,
                top + tip,
                high * 0.6,
            ];
            self.path(&filled("M% %V%Q% % % %T% %V%Z", &bullet), &head);
            self.block((x, high * 0.5), (wide, high * 0.36), 3.0, &case);
            self.block((x, high * 0.8), (wide, 5.0), 0.0, &rim);
        }
    }

    fn shield(&mut self) {
        let (x, s, high) = (self.width / 2.0, self.height / 128.0, self.height);
        let rim = [
            x,
            10.0 * s,
            44.0 * s,
            12.0 * s,
            38.0 * s,
            40.0 * s,
            -44.0 * s,
            60.0 * s,
            -44.0 * s,
            -20.0 * s,
            -44.0 * s,
            -60.0 * s,
            22.0 * s,
        ];
        let rim = filled("M% %l% %v%q0 % % %q% % % %V%Z", &rim);
        self.rays_around(16);
        let field = self.layer(1.4);
        self.path(&rim, &field);
        let id = self.id;
        let _ = write!(
            self.svg,
            "<clipPath id=\"h{id:x}\"><path d=\"{rim}\"/></clipPath><g clip-path=\"url(#h{id:x})\">"
        );
        let (line, fill) = match self.choose(0, 3) {
            0 => (filled("M% 0h80v%h-80Z", &[x, high]), self.layer(2.8)),
            1 => {
                let chevron = [high * 0.75, x, high * 0.35, x, high * 0.4, x, high * 0.58, high];
                (filled("M0 %L% %l% %v24L% %L0 %Z", &chevron), self.warm(55.0))
            }
            _ => (filled("M0 %h%v22H0Z", &[high * 0.42, self.width]), self.layer(3.0)),
        };
        self.path(&line, &fill);
        let rays = self.choose(4, 4);
        let glow = self.glow.clone();
        self.path(&star((x, high * 0.42), rays, 20.0 * s, 9.0 * s), &glow);
        self.svg.push_str("</g>");
        self.outline(&rim, &glow, 3.0);
    }

    fn gears(&mut self) {
        let fills = [self.layer(1.2), self.layer(2.6), self.warm(54.0)];
        let hole = self.layer(3.8);
        for ((x, y), fill) in [(0.36, 0.55), (0.68, 0.36), (0.56, 0.9)].into_iter().zip(fills) {
            let middle = (self.width * x, self.height * y);
            let radius = self.height * self.random(0.2, 0.34);
            let teeth = self.choose(8, 5);
            let rim = (0..teeth * 4).map(|at| {
                let radius = if at % 4 < 2 { radius } else { radius * 0.8 };
                turned(middle, radius, at as f64 / (teeth * 4) as f64 * TAU)
            });
            let rim = polygon(rim);
            self.path(&rim, &fill);
            self.circle(middle, radius * 0.36, &hole);
        }
    }

    fn beast(&mut self) {
        let (x, s, high) = (self.width / 2.0, self.height / 128.0, self.height);
        let (horn, out, jaw) =
            (self.random(12.0, 38.0), self.random(16.0, 42.0), self.random(18.0, 34.0));
        let eye = hsl(self.random(30.0, 90.0), 95.0, 66.0).to_string();
        self.hills(0.5);
        let half = |m: f64| {
            let start = [x, 38.0 * s, m * 16.0 * s, -6.0 * s, m * 24.0 * s, 4.0 * s];
            let horn = [
                m * out * s,
                -8.0 * s,
                m * (out - 4.0) * s,
                -(horn + 14.0) * s,
                m * 22.0 * s,
                28.0 * s,
                m * -4.0 * s,
                (horn + 34.0) * s,
            ];
            let cheek = [m * -2.0 * s, 20.0 * s, m * -(44.0 - jaw) * s, 44.0 * s, x, high];
            filled(
                "M% %q% % % %q% % % %q% % % %q% % % %L% %Z",
                &[&start[..], &horn, &cheek].concat(),
            )
        };
        let (head, body) = (self.layer(3.4), self.layer(3.9));
        self.path(&(half(1.0) + &half(-1.0)), &head);
        let shoulders =
            [x - 90.0 * s, high, 40.0 * s, -44.0 * s, 90.0 * s, -44.0 * s, 90.0 * s, 44.0 * s];
        self.path(&filled("M% %q% % % %t% %Z", &shoulders), &body);
        for m in [-1.0, 1.0] {
            let shape = [
                x + m * 7.0 * s,
                62.0 * s,
                m * 8.0 * s,
                -9.0 * s,
                m * 15.0 * s,
                -5.0 * s,
                m * -5.0 * s,
                10.0 * s,
                m * -15.0 * s,
                5.0 * s,
            ];
            self.path(&filled("M% %q% % % %q% % % %Z", &shape), &eye);
        }
    }
}

/// A sign in large, as on a playing card.
fn pip(colour: Colour, (width, height): Point, glyph: &str) -> String {
    let wide = glyph.chars().count().max(1) as f64;
    let size = f64::min(height * 0.6, width * 1.2 / wide);
    let place = [width / 2.0, height / 2.0 + size * 0.36, size];
    let place = filled("x=\"%\" y=\"%\" font-size=\"%\"", &place);
    format!(
        "<rect width=\"{width}\" height=\"{}\" fill=\"#fbf9f4\"/><text {place} text-anchor=\"middle\" \
         font-weight=\"700\" fill=\"{colour}\">{}</text>",
        number(height),
        markup(glyph)
    )
}
