from models.verdict import Verdict
from tests.referee.tables import asked, box, mini, table


def test_an_amphibious_model_wholly_in_shallow_water_is_concealed() -> None:
    pool = box("p", "shallow-water", 100, 100, 300, 300)

    def wade(y: float, *abilities: str) -> Verdict:
        return asked(table(mini("a", 200, y, abilities=list(abilities)), terrain=[pool]), "water", who="a")

    assert (wade(115, "amphibious").answer, wade(115, "amphibious").value["concealed"]) == ("yes", True)
    assert wade(115).value["concealed"] is False
    assert (wade(110, "amphibious").answer, wade(110, "amphibious").value["concealed"]) == ("no", False)
