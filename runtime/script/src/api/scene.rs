//! `scene`: finding, making and removing; parameters.

use super::motion::motion;
use super::registry::{Entry, NOTHING, THING, p, r};
use crate::handle::Thing;
use crate::nearest::accepted;
use crate::params::ParamDoc;
use crate::shared::{Caller, Fault, Shared};
use simrun_sim::motion::{Motion, SETTINGS, Setting};
use simrun_sim::{Command, FigureHandle, ObjectHandle, Value};
use std::collections::BTreeMap;

/// What a figure's own settings are told of under, beside its behaviours.
const MOTION: &str = "motion";

fn find(shared: &Shared, (name,): (String,)) -> Result<Option<Thing>, Fault> {
    let world = shared.read()?;
    let figure = world.find_figure(&name).map(Thing::Figure);
    Ok(figure.or_else(|| world.find_object(&name).map(Thing::Object)))
}

fn spawn(shared: &Shared, (name, record): (String, Value)) -> Result<FigureHandle, Fault> {
    shared.read()?;
    let spec = shared.host.borrow_mut().spawn_spec(&name, &record)?;
    let mut world = shared.write()?;
    let handle = world.reserve_figure(&name)?;
    world.command(Command::Spawn { handle, spec: Box::new(spec) })?;
    Ok(handle)
}

fn save(shared: &Shared, (path,): (String,)) -> Result<(), Fault> {
    if *shared.caller.borrow() != Caller::Prompt {
        return Err("only the prompt writes files".into());
    }
    let world = shared.read()?;
    Ok(shared.host.borrow_mut().save(&world, &path)?)
}

/// A behaviour's parameters on a figure: its script's defaults, and what is set here.
fn behaviour_params(shared: &Shared, figure: FigureHandle, behaviour: &str) -> Result<BTreeMap<String, Value>, Fault> {
    let set = shared.figure(figure, |figure| {
        let found = figure.behaviours.iter().find(|known| known.script == behaviour);
        found.map(|known| known.params.clone()).ok_or_else(|| simrun_sim::Error::UnknownBehaviour {
            figure: figure.name.clone(),
            behaviour: behaviour.to_owned(),
            known: figure.behaviours.iter().map(|known| known.script.as_str()).collect::<Vec<_>>().join(", "),
        })
    })??;
    let library = shared.library.borrow();
    let docs = library.behaviours.get(behaviour).map(|script| script.params.as_slice()).unwrap_or_default();
    let mut all: BTreeMap<String, Value> = docs.iter().map(|doc| (doc.name.clone(), doc.default.into())).collect();
    all.extend(set);
    Ok(all)
}

fn params(shared: &Shared, (thing,): (Thing,)) -> Result<Value, Fault> {
    let figure = match thing {
        Thing::Object(object) => return shared.object(object, |object| Value::Map(object.params.clone())),
        Thing::Figure(figure) => figure,
    };
    let behaviours =
        shared.figure(figure, |figure| figure.behaviours.iter().map(|known| known.script.clone()).collect::<Vec<_>>())?;
    let all = behaviours.into_iter().map(|name| Ok((name.clone(), Value::Map(behaviour_params(shared, figure, &name)?))));
    let mut all: BTreeMap<String, Value> = all.collect::<Result<_, Fault>>()?;
    if let Ok(settings) = motion(shared, figure, settings) {
        all.insert(MOTION.to_owned(), Value::Map(settings));
    }
    Ok(Value::Map(all))
}

/// What a figure's motion is set to, by name.
fn settings(motion: &Motion) -> BTreeMap<String, Value> {
    SETTINGS.iter().map(|setting| (setting.name.to_owned(), setting.value(&motion.record))).collect()
}

fn unknown_setting(name: &str) -> Fault {
    Fault(format!("'{MOTION}' has no setting '{name}'{}", accepted(name, SETTINGS.map(|known| known.name))))
}

fn get_object_param(shared: &Shared, object: ObjectHandle, name: &str) -> Result<Value, Fault> {
    shared.object(object, |object| {
        let found = object.params.get(name).cloned();
        let known = object.params.keys().map(String::as_str);
        found.ok_or_else(|| Fault(format!("the object '{}' has no parameter '{name}'{}", object.name, accepted(name, known))))
    })?
}

type ParamArgs = (Thing, String, Option<String>);

fn param(shared: &Shared, (thing, first, second): ParamArgs) -> Result<Value, Fault> {
    match (thing, second) {
        (Thing::Object(object), _) => get_object_param(shared, object, &first),
        (Thing::Figure(figure), Some(name)) if first == MOTION => {
            let known = motion(shared, figure, settings)?;
            known.get(&name).cloned().ok_or_else(|| unknown_setting(&name))
        }
        (Thing::Figure(figure), Some(name)) => {
            let all = behaviour_params(shared, figure, &first)?;
            let known = all.keys().map(String::as_str);
            all.get(&name).cloned().ok_or_else(|| Fault(format!("'{first}' has no parameter '{name}'{}", accepted(&name, known))))
        }
        (Thing::Figure(_), None) => {
            Err("a figure's parameter is named by behaviour and name: ann:param(\"protective_fall\", \"tuck\")".into())
        }
    }
}

type SetParamArgs = (Thing, String, Value, Option<Value>);

fn set_param(shared: &Shared, (thing, first, second, third): SetParamArgs) -> Result<(), Fault> {
    let command = match (thing, second, third) {
        (Thing::Object(object), value, None) => Command::SetObjectParam { object, name: first, value },
        (Thing::Figure(figure), Value::Text(name), Some(value)) if first == MOTION => {
            let setting = Setting::of(&name).ok_or_else(|| unknown_setting(&name))?;
            let wrong = || Fault(format!("the setting '{name}' is {}; accepted: {}", value.kind(), setting.accepted()));
            setting.command(figure, &value).ok_or_else(wrong)?
        }
        (Thing::Figure(figure), Value::Text(name), Some(value)) => {
            behaviour_params(shared, figure, &first)?;
            if let Some(script) = shared.library.borrow().behaviours.get(&first) {
                ParamDoc::find(&script.params, &first, &name)?.check(&value)?;
            }
            Command::SetParam { figure, behaviour: first, name, value }
        }
        (Thing::Object(_), ..) => return Err("accepted: car:set_param(\"speed\", 7)".into()),
        (Thing::Figure(_), ..) => return Err("accepted: ann:set_param(\"protective_fall\", \"tuck\", 0.5)".into()),
    };
    Ok(shared.write()?.command(command)?)
}

pub(super) static ENTRIES: &[Entry] = &[
    Entry {
        module: "scene",
        name: "find",
        params: &[p("name", "text", "")],
        returns: r("a figure or an object, or nil", "any"),
        doc: "The figure or object of a name.",
        example: "ann = scene.find(\"ann\")",
        bind: |b| b.of(find),
    },
    Entry {
        module: "scene",
        name: "all",
        params: &[],
        returns: r("list of figures, then objects", "{ any }"),
        doc: "Everything in the scene, in a fixed order.",
        example: "for _, thing in scene.all() do print(thing) end",
        bind: |b| {
            b.of(|shared, ()| {
                let world = shared.read()?;
                let objects = world.objects().map(|object| Thing::Object(object.handle));
                Ok(world.figures().map(|figure| Thing::Figure(figure.handle)).chain(objects).collect::<Vec<_>>())
            })
        },
    },
    Entry {
        module: "scene",
        name: "figures",
        params: &[],
        returns: r("list of figures", "{ Figure }"),
        doc: "Every figure, in a fixed order.",
        example: "for _, figure in scene.figures() do print(figure) end",
        bind: |b| b.of(|shared, ()| Ok(shared.read()?.figures().map(|figure| figure.handle).collect::<Vec<_>>())),
    },
    Entry {
        module: "scene",
        name: "objects",
        params: &[],
        returns: r("list of objects", "{ Object }"),
        doc: "Every object, in a fixed order.",
        example: "#scene.objects()",
        bind: |b| b.of(|shared, ()| Ok(shared.read()?.objects().map(|object| object.handle).collect::<Vec<_>>())),
    },
    Entry {
        module: "scene",
        name: "spawn",
        params: &[p("name", "text", "unique in the scene"), p("record", "table", "as a figure of a scene file")],
        returns: r("the figure", "Figure"),
        doc: "Makes a figure; it is there from the next step on.",
        example: "scene.spawn(\"cat\", { model = \"assets/boxman.glb\", position = { 2, 0, 0 } })",
        bind: |b| b.of(spawn),
    },
    Entry {
        module: "scene",
        name: "destroy",
        params: &[THING],
        returns: NOTHING,
        doc: "Takes a figure or an object out, with all that it has.",
        example: "scene.destroy(bob)",
        bind: |b| {
            b.of(|shared, (thing,): (Thing,)| {
                let command = match thing {
                    Thing::Figure(figure) => Command::DestroyFigure(figure),
                    Thing::Object(object) => Command::DestroyObject(object),
                };
                Ok(shared.write()?.command(command)?)
            })
        },
    },
    Entry {
        module: "scene",
        name: "save",
        params: &[p("path", "text", "a scene file")],
        returns: NOTHING,
        doc: "Writes the world as it stands as a scene; at the prompt only.",
        example: "scene.save(\"later.json\")",
        bind: |b| b.of(save),
    },
    Entry {
        module: "scene",
        name: "params",
        params: &[THING],
        returns: r("table", "{ [string]: any }"),
        doc: "All parameters: of an object by name, of a figure by behaviour and name, and those of its motion by \"motion\" and name.",
        example: "ann:params().protective_fall.tuck",
        bind: |b| b.of(params),
    },
    Entry {
        module: "scene",
        name: "param",
        params: &[THING, p("behaviour?", "text", "for a figure"), p("name", "text", "")],
        returns: r("its value", "any"),
        doc: "One parameter.",
        example: "car:param(\"speed\")",
        bind: |b| b.of(param),
    },
    Entry {
        module: "scene",
        name: "set_param",
        params: &[
            THING,
            p("behaviour?", "text", "for a figure; \"motion\" for a setting"),
            p("name", "text or number", "for an object the value"),
            p("value?", "number or boolean", "for a figure; within its range"),
        ],
        returns: NOTHING,
        doc: "Sets one parameter.",
        example: "ann:set_param(\"protective_fall\", \"tuck\", 0.5)",
        bind: |b| b.of(set_param),
    },
];
