"""Attribution: to which execution, conversation and step a record or an observed call belongs, and what it undoes."""
