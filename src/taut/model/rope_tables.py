"""Columns of the tables of ropes: their ways over guides, sheaves, friction there, and where they are."""

from taut.model.column import FIELD, INT, REAL, Column

ROUTES = (
    Column("guide", INT, (), "-", "its first guide: where it begins"),
    Column("count", INT, (), "-", "guides between which it runs, with both ends"),
    Column("feeds", INT, (), "-", "coordinates that pay it out, in the rows after those"),
    Column("has_sheaves", INT, (), "-", "1 if any guide has a radius"),
    Column("closure", INT, (), "-", "the closure that keeps its length; -1 for that of a tether"),
)

GUIDES = (
    Column("node", INT, (), "-", "node it sits on; 0 is the world. Of a feed the node whose coordinate pays out"),
    Column("point", REAL, (3,), "m", "point or centre of the sheave, body axes"),
    Column("is_linear", INT, (), "-", "1 if the node's rotations are small, plain coordinates"),
    Column("sheave", INT, (), "-", "its sheave; -1 for a point"),
    Column("column", INT, (), "-", "coordinate that pays out: of a feed, or the turn of the sheave; -1 for none"),
    Column("ratio", REAL, (), "1 or m/rad", "length paid out by a unit of that coordinate"),
    Column("start", REAL, (), "m or rad", "of that coordinate, at which nothing is paid out"),
    Column("layer", INT, (), "-", "of a drum: first of its changes of layer"),
    Column("layer_count", INT, (), "-", "of a drum: changes of layer"),
    Column("offset", REAL, (), "m", "of a drum with layers: what is subtracted, so that nothing is paid out at start"),
    Column("is_way", INT, (), "-", "1 if the coordinate makes the way longer instead of paying out: turn of a pulley"),
    Column("friction", REAL, (), "-", "Coulomb coefficient of the rope on it; -1 if the rope does not slip there"),
    Column("bearing", REAL, (), "-", "friction radius of its bearing over the sheave's radius; -1 for none"),
    Column("loss", REAL, (), "-", "-ln of the efficiency of its sheave; -1 for none"),
)

LAYERS = (
    Column("at", REAL, (), "m", "coordinate of the drum beyond its start where the rope changes from layer to layer"),
    Column("step", REAL, (), "-", "change of the length paid out by a unit of the coordinate"),
    Column("climb", REAL, (), "m", "half of the coordinate's way in which it changes"),
)

CAPSTANS = (
    Column("kind", INT, (), "-", "CapstanKind"),
    Column("before", INT, (), "-", "route of the piece that arrives"),
    Column("after", INT, (), "-", "route of the piece that leaves"),
    Column(
        "first", INT, (), "-", "first guide of its friction, on the route that arrives; the last is where that ends"
    ),
    Column("column", INT, (), "-", "coordinate it resists: slip of the rope towards ``after``, or turn of the sheave"),
    Column("arm", REAL, (), "m or 1", "bearing: coefficient times its radius; gear: share that is lost"),
    Column("mass", REAL, (), "kg", "bearing: of the sheave, whose weight it carries; gear: of the drum, at its radius"),
    Column("signal", INT, (), "-", "brake: signal of its force; -1 for others"),
)

SHEAVES = (
    Column("kind", INT, (), "-", "SheaveKind"),
    Column("axis", REAL, (3,), "-", "axis, body axes; of a castor the line on which the rope arrives"),
    Column("reference", REAL, (3,), "-", "first or last of a route: from where its arc counts, axes of ``carrier``"),
    Column("carrier", INT, (), "-", "node whose axes those are: it does not turn with the sheave"),
    Column("radius", REAL, (), "m", "radius at the rope's middle"),
    Column("side", REAL, (), "-", "1 if the rope turns about the axis as it runs, -1 if against it"),
    Column("wrap", REAL, (), "rad", "wrap at the start; of all turns the nearest to it is meant"),
)

DATA_ROUTES = (
    Column("length", FIELD, (), "m", "straight spans and arcs; by trace_routes"),
    Column("paid", FIELD, (), "m", "length paid out by coordinates since the start; by trace_routes"),
    Column("rate", FIELD, (), "m/s", "rate of the length less that of what is paid out; by trace_routes"),
)

DATA_GUIDES = (
    Column("x", FIELD, (3,), "m", "its point in the world; by trace_routes"),
    Column("v", FIELD, (3,), "m/s", "velocity of that point; by trace_routes"),
    Column("axis", FIELD, (3,), "-", "axis of its sheave, world; by trace_routes"),
    Column("centre", FIELD, (3,), "m", "its point, or the centre of a castor; by trace_routes"),
    Column("arrives", FIELD, (3,), "-", "unit vector from the centre to where the rope arrives; by trace_routes"),
    Column("leaves", FIELD, (3,), "-", "the same to where it leaves; by trace_routes"),
    Column("u", FIELD, (3,), "-", "direction of the span to the next guide; by trace_routes"),
    Column("span", FIELD, (), "m", "straight length to the next guide; by trace_routes"),
    Column("wrap", FIELD, (), "rad", "wrap of the sheave; by trace_routes"),
    Column("f", FIELD, (3,), "-", "force at the point by a unit tension; by trace_routes"),
    Column("m", FIELD, (3,), "m", "couple beside it; by trace_routes"),
    Column("N", FIELD, (3,), "m", "both about the node's origin, zero if a closure is open; by trace_routes, closures"),
    Column("F", FIELD, (3,), "-", "the force of them"),
)
