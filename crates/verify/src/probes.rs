//! Requests that no user would send, derived from the catalogue: what is missing, malformed, unknown or repeated.

use workload::{Catalogue, Effect, How, Interaction, InteractionId, Method, Request};

/// Values that no parameter should take well. As text some of them are legal, so that escaping shows.
const VALUES: [&str; 7] = ["", "abc", "-1", "999999999", "99999999999999999999", "1.5", "%3Cb%3E%27%22%00"];

/// One request for each way to get each interaction wrong.
pub(crate) fn probes(catalogue: &Catalogue) -> Vec<Request> {
    let dynamic = catalogue.ids().filter(|id| catalogue.get(*id).effect != Effect::Static);
    dynamic.flat_map(|id| of_interaction(catalogue.get(id), id)).collect()
}

fn of_interaction(interaction: &Interaction, id: InteractionId) -> Vec<Request> {
    let names: Vec<&str> = interaction.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
    let with = |wrong: usize, value: &str| {
        let pair = |(at, name): (usize, &&str)| format!("{name}={}", if at == wrong { value } else { "1" });
        names.iter().enumerate().map(pair).collect::<Vec<_>>().join("&")
    };
    let mut encoded = vec![String::new()];
    for (at, name) in names.iter().enumerate() {
        encoded.extend(VALUES.map(|value| with(at, value)));
        encoded.push(format!("{0}&{name}=1", with(at, "1")));
    }
    let mut requests: Vec<Request> =
        encoded.iter().map(|parameters| request(interaction, id, interaction.method, parameters)).collect();
    let other = if interaction.method == Method::Get { Method::Post } else { Method::Get };
    requests.push(request(interaction, id, other, &with(0, "1")));
    requests
}

fn request(interaction: &Interaction, id: InteractionId, method: Method, parameters: &str) -> Request {
    let (path_and_query, body) = match method {
        Method::Get if parameters.is_empty() => (interaction.path.clone(), String::new()),
        Method::Get => (format!("{}?{parameters}", interaction.path), String::new()),
        Method::Post => (interaction.path.clone(), parameters.to_owned()),
    };
    Request { interaction: id, method, path_and_query, body, how: How::Forward, drawn: None }
}
