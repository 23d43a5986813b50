//! A document's tree by the parser of the HTML standard.

use html5ever::interface::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::tokenizer::TokenizerOpts;
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{Attribute, ParseOpts, QualName, parse_document};
use std::borrow::Cow;
use std::cell::{Cell, Ref, RefCell};
use std::collections::HashMap;

/// The most steps for a document: looks at its elements, attributes and text while its tree is built and read. For each tag, the
/// parser may look at all open elements again, which would take hours. An element of a usual page takes some hundreds of steps.
pub(crate) const MOST_STEPS: usize = 1 << 26;

/// The most elements around an element: browsers nest no more.
const DEEPEST: usize = 512;

/// The bytes that are parsed before the steps are looked at.
const PIECE: usize = 256;

/// The bytes of an attribute's value that count as one step.
const BYTES_A_STEP: usize = 16;

/// The position of a node. The first is the document.
pub(crate) type Id = usize;

#[derive(Default)]
pub(crate) struct Tree {
    nodes: Vec<Node>,
    templates: HashMap<Id, Id>,
    steps: Cell<usize>,
}

#[derive(Default)]
struct Node {
    parent: Option<Id>,
    children: Vec<Id>,
    /// The form that the parser has associated it with.
    form: Option<Id>,
    content: Content,
}

#[derive(Default)]
enum Content {
    /// The document, a comment, or a template's content.
    #[default]
    Other,
    Element(QualName, Vec<Attribute>),
    Text(String),
}

impl Tree {
    /// Parses a document as a browser without scripts. None if it takes too many steps.
    pub fn parse(html: &str) -> Option<Self> {
        // The tokenizer would drop a byte order mark at the begin of each piece.
        let tokenizer = TokenizerOpts { discard_bom: false, ..TokenizerOpts::default() };
        let tree_builder = TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() };
        let sink = Sink::default();
        sink.add(Content::Other);
        let mut parser = parse_document(sink, ParseOpts { tokenizer, tree_builder });
        let mut rest = html.strip_prefix('\u{feff}').unwrap_or(html);
        while !rest.is_empty() {
            let (piece, after) = rest.split_at(rest.floor_char_boundary(PIECE));
            parser.process(StrTendril::from(piece));
            if parser.tokenizer.sink.sink.0.borrow().is_exhausted() {
                return None;
            }
            rest = after;
        }
        Some(parser.finish())
    }

    /// True if too many steps were taken. What is read of the tree then is not whole.
    pub fn is_exhausted(&self) -> bool {
        self.steps.get() > MOST_STEPS
    }

    fn step(&self, steps: usize) {
        self.steps.set(self.steps.get() + steps);
    }

    /// Takes a step to a node, as long as there are any.
    fn step_to(&self, id: Id) -> Option<Id> {
        self.step(1);
        (!self.is_exhausted()).then_some(id)
    }

    /// The elements of the document in its order. Templates are inert.
    pub fn elements(&self) -> Vec<Id> {
        self.below(0).filter(|id| matches!(self.nodes[*id].content, Content::Element(..))).collect()
    }

    /// The nodes below one, in the document's order.
    pub fn below(&self, id: Id) -> impl Iterator<Item = Id> {
        let mut next: Vec<Id> = self.nodes[id].children.iter().rev().copied().collect();
        std::iter::from_fn(move || {
            let id = self.step_to(next.pop()?)?;
            next.extend(self.nodes[id].children.iter().rev());
            Some(id)
        })
    }

    /// The elements around one, the innermost first.
    pub fn above(&self, id: Id) -> impl Iterator<Item = Id> {
        let parent = move |id: Id| self.nodes[id].parent.and_then(|parent| self.step_to(parent));
        std::iter::successors(parent(id), move |id| parent(*id))
    }

    /// The name of an HTML element; empty for another node. An SVG link counts as one.
    pub fn name(&self, id: Id) -> &str {
        match &self.nodes[id].content {
            Content::Element(name, _) if name.ns == html5ever::ns!(html) || &*name.local == "a" => {
                &name.local
            }
            _ => "",
        }
    }

    pub fn attribute(&self, id: Id, name: &str) -> Option<&str> {
        let attributes = self.attributes(id);
        let found = attributes.iter().find(|found| &*found.name.local == name);
        let value = found.map(|found| &*found.value);
        self.step(attributes.len() + value.map_or(0, str::len) / BYTES_A_STEP);
        value
    }

    fn attributes(&self, id: Id) -> &[Attribute] {
        match &self.nodes[id].content {
            Content::Element(_, attributes) => attributes,
            _ => &[],
        }
    }

    /// The text below an element, without that of scripts.
    pub fn text(&self, id: Id) -> String {
        let shown = |id: &Id| self.nodes[*id].parent.is_none_or(|parent| self.name(parent) != "script");
        let texts = self.below(id).filter(shown).map(|id| match &self.nodes[id].content {
            Content::Text(text) => text.as_str(),
            _ => "",
        });
        texts.inspect(|text| self.step(text.len())).collect()
    }

    /// The form that the parser has associated an element with.
    pub fn form(&self, id: Id) -> Option<Id> {
        self.nodes[id].form
    }

    fn detach(&mut self, id: Id) {
        let Some(parent) = self.nodes[id].parent.take() else { return };
        if let Some(at) = self.place(parent, id) {
            self.nodes[parent].children.remove(at);
        }
    }

    /// The place of a node among its parent's children. It is mostly one of the last.
    fn place(&self, parent: Id, child: Id) -> Option<usize> {
        let children = &self.nodes[parent].children;
        let at = children.iter().rposition(|known| *known == child);
        self.step(children.len() - at.unwrap_or_default());
        at
    }

    /// Puts a node or text before the child at `at`.
    fn insert(&mut self, parent: Id, at: usize, new: NodeOrText<Id>) {
        let id = match new {
            NodeOrText::AppendNode(id) => id,
            NodeOrText::AppendText(text) => {
                let before = at.checked_sub(1).map(|before| self.nodes[parent].children[before]);
                if let Some(Content::Text(known)) = before.map(|before| &mut self.nodes[before].content) {
                    return known.push_str(&text);
                }
                self.add(Content::Text(text.to_string()))
            }
        };
        self.nodes[id].parent = Some(parent);
        self.nodes[parent].children.insert(at, id);
        self.count(id);
    }

    /// Counts the steps for a new node: for its memory, and because the parser compares it with those around it, and its
    /// attributes with one another.
    fn count(&self, id: Id) {
        let (attributes, depth) = (self.attributes(id).len(), self.above(id).count());
        let steps = (attributes + 4) * (attributes + depth + 16);
        self.step(if depth > DEEPEST { MOST_STEPS } else { steps });
    }

    fn add(&mut self, content: Content) -> Id {
        self.nodes.push(Node { content, ..Node::default() });
        self.nodes.len() - 1
    }
}

#[derive(Default)]
struct Sink(RefCell<Tree>);

impl Sink {
    fn add(&self, content: Content) -> Id {
        self.0.borrow_mut().add(content)
    }
}

impl TreeSink for Sink {
    type Handle = Id;
    type Output = Tree;
    type ElemName<'a> = Ref<'a, QualName>;

    fn finish(self) -> Tree {
        self.0.into_inner()
    }

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn get_document(&self) -> Id {
        0
    }

    fn elem_name<'a>(&'a self, target: &'a Id) -> Ref<'a, QualName> {
        let tree = self.0.borrow();
        tree.step(1);
        Ref::map(tree, |tree| match &tree.nodes[*target].content {
            Content::Element(name, _) => name,
            _ => unreachable!("the parser asks only elements for their names"),
        })
    }

    fn create_element(&self, name: QualName, attributes: Vec<Attribute>, flags: ElementFlags) -> Id {
        let id = self.add(Content::Element(name, attributes));
        if flags.template {
            let content = self.add(Content::Other);
            self.0.borrow_mut().templates.insert(id, content);
        }
        id
    }

    fn create_comment(&self, _: StrTendril) -> Id {
        self.add(Content::Other)
    }

    fn create_pi(&self, _: StrTendril, _: StrTendril) -> Id {
        self.add(Content::Other)
    }

    fn append(&self, parent: &Id, child: NodeOrText<Id>) {
        let mut tree = self.0.borrow_mut();
        let at = tree.nodes[*parent].children.len();
        tree.insert(*parent, at, child);
    }

    fn append_based_on_parent_node(&self, element: &Id, previous: &Id, child: NodeOrText<Id>) {
        let has_parent = self.0.borrow().nodes[*element].parent.is_some();
        match has_parent {
            true => self.append_before_sibling(element, child),
            false => self.append(previous, child),
        }
    }

    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}

    fn get_template_contents(&self, target: &Id) -> Id {
        self.0.borrow().templates.get(target).copied().unwrap_or(*target)
    }

    fn same_node(&self, one: &Id, other: &Id) -> bool {
        self.0.borrow().step(1);
        one == other
    }

    fn set_quirks_mode(&self, _: QuirksMode) {}

    fn append_before_sibling(&self, sibling: &Id, new: NodeOrText<Id>) {
        let mut tree = self.0.borrow_mut();
        if let NodeOrText::AppendNode(id) = new {
            tree.detach(id);
        }
        let Some(parent) = tree.nodes[*sibling].parent else { return };
        let at = tree.place(parent, *sibling);
        tree.insert(parent, at.unwrap_or_default(), new);
    }

    fn add_attrs_if_missing(&self, target: &Id, more: Vec<Attribute>) {
        let mut tree = self.0.borrow_mut();
        tree.step(tree.attributes(*target).len() * more.len());
        if let Content::Element(_, attributes) = &mut tree.nodes[*target].content {
            for attribute in more {
                if attributes.iter().all(|known| known.name != attribute.name) {
                    attributes.push(attribute);
                }
            }
        }
    }

    fn associate_with_form(&self, target: &Id, form: &Id, _: (&Id, Option<&Id>)) {
        self.0.borrow_mut().nodes[*target].form = Some(*form);
    }

    fn remove_from_parent(&self, target: &Id) {
        self.0.borrow_mut().detach(*target);
    }

    fn reparent_children(&self, node: &Id, new: &Id) {
        let mut tree = self.0.borrow_mut();
        let children = std::mem::take(&mut tree.nodes[*node].children);
        tree.step(children.len());
        for child in &children {
            tree.nodes[*child].parent = Some(*new);
        }
        tree.nodes[*new].children.extend(children);
    }
}
